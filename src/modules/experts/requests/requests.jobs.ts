import { retryOnContention, type TenantTx } from '#platform/db'
import { defineFrequentTenantSchedule, defineJob, defineJobHandler, enqueue } from '#platform/jobs'
import type { Services } from '#platform/module'
import { subscribe } from '#platform/outbox'
import { strict } from '#platform/schema'
import {
  expertCreated,
  expertRequestAnswered,
  expertRequestCancelled,
  expertRequestDeclined,
  expertUpdated,
} from '../experts.events.ts'
import { advanceRequest, routeOpenRequest } from './advance-requests.service.ts'
import { listOpenRequestIds, listRequestIdsToCheck, listTenantsToAdvance } from './requests.queries.ts'

const batchSize = 200

type Clock = Pick<Services, 'clock'>
type Run = { inTenant<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>; signal: AbortSignal }
type RequestWork = (tx: TenantTx, id: string) => Promise<boolean>

/** Handles each request in its own transaction and returns the number of changed ones. */
async function handleRequests({ inTenant, signal }: Run, ids: readonly string[], work: RequestWork): Promise<number> {
  let changed = 0
  for (const id of ids) {
    signal.throwIfAborted()
    if (await retryOnContention(() => inTenant((tx) => work(tx, id)), signal)) changed++
  }
  return changed
}

export const advanceRequestsSchedule = ({ clock }: Clock) =>
  defineFrequentTenantSchedule('enablement.advance_expert_requests', '*/15 * * * *', {
    listTenants: (tx) => listTenantsToAdvance(tx, clock.now()),
    async runForTenant(run) {
      let ids: string[]
      let changed: number
      do {
        ids = await run.inTenant((tx) => listRequestIdsToCheck(tx, clock.now(), batchSize))
        changed = await handleRequests(run, ids, (tx, id) => advanceRequest(tx, id, clock.now()))
      } while (changed > 0)
    },
  })

const routeRequestsJob = defineJob('enablement.route_expert_requests', 'events', strict({}))

/** An expert has room again, or is new: waiting requests are routed at once and not by the next run of the schedule. */
export const onExpertFree = subscribe(
  [expertRequestAnswered, expertRequestCancelled, expertRequestDeclined, expertCreated, expertUpdated],
  'enablement.route_expert_requests',
  async (tx) => {
    if ((await listOpenRequestIds(tx, 1)).length) await enqueue(tx, routeRequestsJob, {}, { singletonKey: 'route' })
  },
)

export const routeRequestsHandler = ({ clock }: Clock) =>
  defineJobHandler(routeRequestsJob, async (run) => {
    const ids = await run.inTenant((tx) => listOpenRequestIds(tx, batchSize))
    await handleRequests(run, ids, (tx, id) => routeOpenRequest(tx, id, clock.now()))
  })

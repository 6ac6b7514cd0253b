import { resolveTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { inTenant, retryOnContention, type TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { nilUuid } from '#platform/ids'
import {
  defineFrequentTenantSchedule,
  defineJob,
  defineJobHandler,
  enqueue,
  type JobContext,
  type JobHandler,
} from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { runFlowBatch } from './enroll-batch.service.ts'
import {
  type FlowRow,
  findActiveFlow,
  listActiveFlowIds,
  listTenantsWithActiveFlows,
  updateFlowRow,
} from './segment-flows.queries.ts'
import { stopFlowOf } from './segment-flows.service.ts'

const runFlowJob = defineJob('marketing.run_segment_flow', 'bulk', strict({ flow_id: Id }))

export const enqueueFlowRun = (tx: TenantTx, flow_id: string) => enqueue(tx, runFlowJob, { flow_id })

const batchSize = 500

type FlowServices = Pick<Services, 'db' | 'clock' | 'registry' | 'secrets'>

export const runFlowHandler = (services: FlowServices): JobHandler =>
  defineJobHandler(runFlowJob, (context, { flow_id }) => runFlow(context, flow_id, services))

/** Enrolls the new members of all active flows. */
export const runFlowsSchedule = (services: FlowServices) =>
  defineFrequentTenantSchedule('marketing.run_segment_flows', '*/15 * * * *', {
    listTenants: listTenantsWithActiveFlows,
    async runForTenant(context) {
      for (const id of await context.inTenant(listActiveFlowIds)) await runFlow(context, id, services)
    },
  })

type RunContext = Pick<JobContext, 'inTenant' | 'signal' | 'log'>

/** A failed run is shown as `last_error` and does not stop other flows; the next run tries again. */
async function runFlow(context: RunContext, id: string, services: FlowServices): Promise<void> {
  const { inTenant: inJob, signal, log } = context
  let last_error: string | null = null
  try {
    const isActive = await enrollNewMembers(context, id, services)
    if (!isActive) return
  } catch (error) {
    signal.throwIfAborted()
    const isRejected = error instanceof AppError && error.status < 500
    if (!isRejected) log.error({ err: error, flow_id: id }, 'segment flow failed')
    last_error = isRejected ? error.message.slice(0, 500) : 'The last run failed. The next one tries again.'
  }
  await inJob((tx) => updateFlowRow(tx, id, { last_run_at: services.clock.now(), last_error }))
}

/** Returns false if the flow is stopped. A flow whose user may no longer enroll is stopped. */
async function enrollNewMembers(
  { inTenant: inJob, signal }: RunContext,
  id: string,
  services: FlowServices,
): Promise<boolean> {
  for (let after: string | undefined = nilUuid; after !== undefined; ) {
    signal.throwIfAborted()
    const flow = await inJob((tx) => findActiveFlow(tx, id))
    const actor = flow && (await inJob((tx) => resolveActor(tx, flow, services.clock.now())))
    if (!flow || !actor) return false
    const page: { after: string; limit: number } = { after, limit: batchSize }
    const runBatch = () => inTenant(services.db, actor, (tx) => runFlowBatch(tx, actor, flow, page, services), 'job')
    try {
      after = await retryOnContention(runBatch, signal)
    } catch (error) {
      if (!isForbidden(error)) throw error
      await inJob((tx) => stopFlowOf(tx, flow, error.message))
      return false
    }
  }
  return true
}

const isForbidden = (error: unknown): error is AppError => error instanceof AppError && error.status === 403

async function resolveActor(tx: TenantTx, flow: FlowRow, now: Date): Promise<UserActor | undefined> {
  try {
    return await resolveTaskRequester(tx, flow.requested_by, { scopes: ['segments.write'], now })
  } catch (error) {
    await stopFlowOf(tx, flow, toClientError(error).message)
    return undefined
  }
}

function toClientError(error: unknown): AppError {
  if (error instanceof AppError && error.status < 500) return error
  throw error
}

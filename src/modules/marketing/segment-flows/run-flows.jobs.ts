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

type FlowServices = Pick<Services, 'db' | 'clock' | 'registry'>

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

type RunContext = Pick<JobContext, 'inTenant' | 'signal'>

/** A rejected batch is shown as `last_error`; the next run tries again. A flow whose user may no longer enroll is stopped. */
async function runFlow({ inTenant: inJob, signal }: RunContext, id: string, services: FlowServices): Promise<void> {
  const { clock } = services
  const runBatch = async (flow: FlowRow, actor: UserActor, after: string) =>
    await inTenant(
      services.db,
      actor,
      (tx) => runFlowBatch(tx, actor, flow, { after, limit: batchSize }, services),
      'job',
    )
  let last_error: string | null = null
  for (let after: string | undefined = nilUuid; after !== undefined; ) {
    signal.throwIfAborted()
    const flow = await inJob((tx) => findActiveFlow(tx, id))
    if (!flow) return
    const actor = await inJob((tx) => resolveActor(tx, flow, clock.now()))
    if (!actor) return
    const from: string = after
    const outcome = await retryOnContention(() => runBatch(flow, actor, from), signal).catch(toClientError)
    if (outcome instanceof AppError) last_error = outcome.message.slice(0, 500)
    after = outcome instanceof AppError ? undefined : outcome
  }
  await inJob((tx) => updateFlowRow(tx, id, { last_run_at: clock.now(), last_error }))
}

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

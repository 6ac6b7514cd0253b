import type { TenantTx } from '#platform/db'
import type { JobContext, JobHandler } from '#platform/jobs'
import { type ErasurePosition, runErasures, type Services } from '#platform/module'
import { subscribe } from '#platform/outbox'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, taskCancelled, taskFailed } from '#platform/tasks'
import { completeErasure, startErasure } from './erase-person.service.ts'
import { addErasureCounts, failErasureRequest, getErasureRequest } from './erasure-requests.queries.ts'

const ErasePersonInput = strict({ request_id: Id })
export const erasePersonTask = defineTask('people.erase', 'bulk', ErasePersonInput)

export type ErasureServices = Pick<Services, 'clock' | 'secrets' | 'registry'>

export const erasePersonHandler = (services: ErasureServices): JobHandler =>
  defineTaskHandler<typeof ErasePersonInput, ErasurePosition | null>(
    erasePersonTask,
    async (context, { request_id }) => {
      const { checkpoint, isCancelled } = context
      const counts = await runErasureRequest(context, request_id, services, {
        from: checkpoint.value,
        isCancelled,
        savePosition: (tx, position) => checkpoint.save(tx, position),
      })
      return { counts }
    },
  )

type RunOptions = {
  from?: ErasurePosition | null
  isCancelled?(): Promise<boolean>
  savePosition?(tx: TenantTx, position: ErasurePosition | null): Promise<void>
}

/** Repeats all erasures until no record of the person is left, because records can be created or edited in the meantime. */
export async function runErasureRequest(
  context: Pick<JobContext, 'inTenant' | 'inTenantAsSystem' | 'signal'>,
  requestId: string,
  services: ErasureServices,
  { from = null, isCancelled, savePosition }: RunOptions = {},
) {
  const { inTenant } = context
  let position = from
  let person = await inTenant((tx) => startErasure(tx, requestId, services))
  while (person) {
    const isDone = await runErasures(context, services.registry.erasures, person, {
      from: position,
      isCancelled,
      async onBatch(tx, counts, next) {
        await addErasureCounts(tx, requestId, counts)
        await savePosition?.(tx, next ?? null)
      },
    })
    if (!isDone) break
    position = null
    person = await inTenant((tx) => completeErasure(tx, requestId, services))
  }
  return (await inTenant((tx) => getErasureRequest(tx, requestId))).counts
}

export const onErasureTaskEnded = subscribe(
  [taskFailed, taskCancelled],
  'crm.fail_erasures',
  async (tx, { subject: { id }, data, isTruncated }) => {
    if (isTruncated || data.kind === erasePersonTask.kind) await failErasureRequest(tx, id)
  },
)

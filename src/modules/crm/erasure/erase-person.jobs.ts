import type { JobHandler } from '#platform/jobs'
import { type ErasurePosition, runErasures, type Services } from '#platform/module'
import { subscribe } from '#platform/outbox'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, taskCancelled, taskFailed } from '#platform/tasks'
import { completeErasure, startErasure } from './erase-person.service.ts'
import { addErasureCounts, failErasureRequest, getErasureRequest } from './erasure-requests.queries.ts'

const ErasePersonInput = strict({ request_id: Id })
export const erasePersonTask = defineTask('people.erase', 'bulk', ErasePersonInput)

type ErasureServices = Pick<Services, 'clock' | 'secrets' | 'registry'>

/** Repeats all erasures until no record of the person is left, because records can be created or edited in the meantime. */
export const erasePersonHandler = (services: ErasureServices): JobHandler =>
  defineTaskHandler<typeof ErasePersonInput, ErasurePosition | null>(
    erasePersonTask,
    async (context, { request_id }) => {
      const { inTenant, checkpoint } = context
      let from = checkpoint.value
      let person = await inTenant((tx) => startErasure(tx, request_id, services))
      while (person) {
        const isDone = await runErasures(context, services.registry.erasures, person, {
          from,
          isCancelled: context.isCancelled,
          async onBatch(tx, counts, position) {
            await addErasureCounts(tx, request_id, counts)
            await checkpoint.save(tx, position ?? null)
          },
        })
        if (!isDone) break
        from = null
        person = await inTenant((tx) => completeErasure(tx, request_id, services))
      }
      const { counts } = await inTenant((tx) => getErasureRequest(tx, request_id))
      return { counts }
    },
  )

export const onErasureTaskEnded = subscribe(
  [taskFailed, taskCancelled],
  'crm.fail_erasures',
  async (tx, { subject: { id }, data, isTruncated }) => {
    if (isTruncated || data.kind === erasePersonTask.kind) await failErasureRequest(tx, id)
  },
)

import { runTaskBatches, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { defineTaskHandler, startTask } from '#platform/tasks'
import { addOutcomes, type BulkProgress, noProgress } from './bulk.rules.ts'
import type { BulkAction } from './bulk-action.ts'
import { insertBulkAction } from './bulk-changes.queries.ts'
import { type BulkKind, type BulkTaskInput, findBulkAction } from './bulk-kind.ts'
import { applyUndoably } from './record-bulk-changes.service.ts'

const chunkSize = 50

type BulkTask = { action: BulkAction; params: object; ids: string[] }

export async function startBulkTask(
  tx: TenantTx,
  { type, idsField, task }: BulkKind,
  actor: UserActor,
  { action, params, ids }: BulkTask,
) {
  const { name, undo } = action
  const total = ids.length
  const details = { title: `${name.replaceAll('_', ' ')}: ${total} ${type}s`, total }
  const input = { action: name, params, [idsField]: ids, by: toTaskRequester(actor) }
  const started = await startTask(tx, task, input, details)
  if (undo) await insertBulkAction(tx, { task_id: started.task_id, action: name })
  return started
}

type BulkServices = Pick<Services, 'db' | 'clock' | 'registry' | 'secrets'>

export const bulkUpdateHandler = (kind: BulkKind, services: BulkServices): JobHandler =>
  defineTaskHandler<typeof BulkTaskInput, BulkProgress>(
    kind.task,
    async (context, { action: name, params, by, [kind.idsField]: ids = [] }) => {
      const action = findBulkAction(kind, services, name)
      if (!action) throw new Error(`Unknown bulk action ${name}.`)
      const { done: _, ...counts } = await runTaskBatches(context, services, {
        requester: by,
        scopes: [kind.scope, ...(action.scopes ?? [])],
        start: noProgress,
        isComplete: ({ done }) => done === ids.length,
        countDone: ({ done }) => done,
        async runBatch(tx, actor, progress) {
          const { done: offset } = progress
          const requestKey = context.taskId
          const run = { kind, action, params, actor, now: services.clock.now(), requestKey, offset, services }
          const batch = ids.slice(offset, offset + chunkSize)
          return addOutcomes(progress, await applyUndoably(tx, batch, run, context.taskId), kind.idsField)
        },
      })
      return { action: name, total: ids.length, ...counts }
    },
  )

import { Type } from 'typebox'
import { runTaskBatches, TaskRequester, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, startTask } from '#platform/tasks'
import { addOutcomes, type BulkProgress, noProgress } from './bulk.rules.ts'
import type { BulkParams } from './bulk.schemas.ts'
import { findBulkAction, type LeadBulkAction } from './bulk-action.ts'
import { insertBulkAction } from './bulk-changes.queries.ts'
import { applyUndoably } from './record-bulk-changes.service.ts'

const BulkTaskInput = strict({
  action: Type.String(),
  params: Type.Unsafe<BulkParams>({ type: 'object' }),
  lead_ids: Type.Array(Id),
  by: TaskRequester,
})
export const bulkTask = defineTask('leads.bulk', 'bulk', BulkTaskInput)

const chunkSize = 50

type BulkTask = { action: LeadBulkAction; params: BulkParams; lead_ids: string[] }

export async function startBulkTask(tx: TenantTx, actor: UserActor, { action, params, lead_ids }: BulkTask) {
  const { name, undo } = action
  const total = lead_ids.length
  const details = { title: `${name.replaceAll('_', ' ')}: ${total} leads`, total }
  const input = { action: name, params, lead_ids, by: toTaskRequester(actor) }
  const started = await startTask(tx, bulkTask, input, details)
  if (undo) await insertBulkAction(tx, { task_id: started.task_id, action: name })
  return started
}

type BulkServices = Pick<Services, 'db' | 'clock' | 'registry' | 'secrets'>

export const bulkUpdateLeadsHandler = (services: BulkServices): JobHandler =>
  defineTaskHandler<typeof BulkTaskInput, BulkProgress>(
    bulkTask,
    async (context, { action: name, params, lead_ids, by }) => {
      const action = findBulkAction(services, name)
      if (!action) throw new Error(`Unknown bulk action ${name}.`)
      const { done: _, ...counts } = await runTaskBatches(context, services, {
        requester: by,
        scopes: ['leads.write', ...(action.scopes ?? [])],
        start: noProgress,
        isComplete: ({ done }) => done === lead_ids.length,
        countDone: ({ done }) => done,
        async runBatch(tx, actor, progress) {
          const ids = lead_ids.slice(progress.done, progress.done + chunkSize)
          const run = { action, params, actor, now: services.clock.now(), requestKey: context.taskId, services }
          return addOutcomes(progress, await applyUndoably(tx, ids, run, context.taskId))
        },
      })
      return { action: name, total: lead_ids.length, ...counts }
    },
  )

import { Type } from 'typebox'
import { runTaskBatches, TaskRequester, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { defineTask, defineTaskHandler, startTask } from '#platform/tasks'
import { applyToLeads } from './apply-to-leads.service.ts'
import { addOutcomes, type BulkProgress, noProgress } from './bulk.rules.ts'
import { findUndoableAction, undoScopesOf } from './bulk-action.ts'
import { deleteBulkChanges, listBulkChanges } from './bulk-changes.queries.ts'
import { toUndoAction } from './undo-changes.service.ts'

const UndoInput = strict({ bulk_task_id: Id, action: Type.String(), total: Type.Integer(), by: TaskRequester })
const undoBulkTask = defineTask('leads.bulk_undo', 'bulk', UndoInput)

const chunkSize = 50

type UndoTask = { bulk_task_id: string; action: string; total: number }

export function startUndoTask(tx: TenantTx, actor: UserActor, undo: UndoTask) {
  const { action, total } = undo
  const title = `undo ${action.replaceAll('_', ' ')}: ${total} leads`
  return startTask(tx, undoBulkTask, { ...undo, by: toTaskRequester(actor) }, { title, total })
}

type UndoServices = Pick<Services, 'db' | 'clock' | 'registry' | 'secrets'>
type UndoProgress = BulkProgress & { isComplete: boolean }

/** Deletes the changes of each batch, so that an undo that did not complete continues with the others. */
export const undoBulkHandler = (services: UndoServices): JobHandler =>
  defineTaskHandler<typeof UndoInput, UndoProgress>(
    undoBulkTask,
    async (context, { bulk_task_id, action: name, total, by }) => {
      const action = findUndoableAction(services, name)
      const { undo } = action
      const { succeeded, unchanged, failed, failures } = await runTaskBatches(context, services, {
        requester: by,
        scopes: undoScopesOf(action),
        start: { ...noProgress, isComplete: false },
        isComplete: ({ isComplete }) => isComplete,
        countDone: ({ done }) => done,
        async runBatch(tx, actor, progress) {
          const changes = await listBulkChanges(tx, bulk_task_id, chunkSize)
          if (!changes.length) return { ...progress, isComplete: true }
          const ids = changes.map(({ lead_id }) => lead_id)
          const outcomes = await applyToLeads(tx, ids, {
            action: toUndoAction(undo, changes),
            params: {},
            actor,
            now: services.clock.now(),
            requestKey: context.taskId,
            services,
          })
          await deleteBulkChanges(tx, bulk_task_id, ids)
          return { ...addOutcomes(progress, outcomes), isComplete: false }
        },
      })
      const restored = succeeded + unchanged
      return { bulk_task_id, action: name, total, restored, skipped: failed, skipped_leads: failures }
    },
  )

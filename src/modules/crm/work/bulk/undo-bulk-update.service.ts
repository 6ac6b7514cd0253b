import type { UserActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { conflict, notFound, scopeRequired } from '#platform/errors'
import type { Services } from '#platform/module'
import { findTask, getTask, isTaskOpen } from '#platform/tasks'
import { countBulkChanges, lockBulkAction, updateUndoTask } from './bulk-changes.queries.ts'
import { type BulkKind, findUndoableAction, undoScopesOf } from './bulk-kind.ts'
import { startUndoTask } from './undo-bulk.jobs.ts'

const undoDays = 1

/** Starts a task that restores the records. An undo that failed or was cancelled can be started again. */
export async function undoBulkUpdate(
  tx: TenantTx,
  kind: BulkKind,
  actor: UserActor,
  taskId: string,
  { clock, registry }: Pick<Services, 'clock' | 'registry'>,
) {
  const { status } = await getTask(tx, actor, taskId)
  if (status.kind !== kind.task.kind) throw notFound('bulk action')
  if (isTaskOpen(status.state))
    throw conflict('conflict', 'The bulk action is still running. Wait until it has ended, or cancel its task.')
  if (daysLater(status.created_at, undoDays) <= clock.now())
    throw conflict('undo_expired', 'A bulk action can be undone within 24 hours.')
  const row = await lockBulkAction(tx, taskId)
  if (!row) throw conflict('conflict', 'This bulk action changed nothing that can be restored.')
  const action = findUndoableAction(kind, { registry }, row.action)
  const missing = undoScopesOf(kind, action).find((scope) => !actor.scopes.has(scope))
  if (missing) throw scopeRequired(missing)
  if (row.undo_task_id) await assertCanRepeat(tx, row.undo_task_id)
  const total = await countBulkChanges(tx, taskId)
  const task = await startUndoTask(tx, kind, actor, { bulk_task_id: taskId, action: row.action, total })
  await updateUndoTask(tx, taskId, task.task_id)
  return { ...task, total }
}

async function assertCanRepeat(tx: TenantTx, undoTaskId: string): Promise<void> {
  const state = (await findTask(tx, undoTaskId))?.status.state ?? 'succeeded'
  if (isTaskOpen(state))
    throw conflict('conflict', 'The undo of this bulk action is still running. Wait until its task has ended.', {
      task_id: undoTaskId,
    })
  if (state === 'succeeded')
    throw conflict('conflict', 'This bulk action has already been undone. Start the action again to repeat it.', {
      task_id: undoTaskId,
    })
}

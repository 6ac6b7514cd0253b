import { runTaskBatches, toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { defineTaskHandler, startTask } from '#platform/tasks'
import { applyToRecords } from './apply-to-records.service.ts'
import { addOutcomes, type BulkProgress, noProgress } from './bulk.rules.ts'
import { type BulkAction, type BulkUndo, withApplyToAll } from './bulk-action.ts'
import { type BulkChange, deleteBulkChanges, listBulkChanges } from './bulk-changes.queries.ts'
import { type BulkKind, type BulkUndoInput, findUndoableAction, undoScopesOf } from './bulk-kind.ts'

const chunkSize = 50

type UndoTask = { bulk_task_id: string; action: string; total: number }

export function startUndoTask(tx: TenantTx, { type, undoTask }: BulkKind, actor: UserActor, undo: UndoTask) {
  const { action, total } = undo
  const title = `undo ${action.replaceAll('_', ' ')}: ${total} ${type}s`
  return startTask(tx, undoTask, { ...undo, by: toTaskRequester(actor) }, { title, total })
}

type UndoServices = Pick<Services, 'db' | 'clock' | 'registry' | 'secrets'>
type UndoProgress = BulkProgress & { isComplete: boolean }

/** Deletes the changes of each batch, so that an undo that did not complete continues with the others. */
export const undoBulkHandler = (kind: BulkKind, services: UndoServices): JobHandler =>
  defineTaskHandler<typeof BulkUndoInput, UndoProgress>(
    kind.undoTask,
    async (context, { bulk_task_id, action: name, total, by }) => {
      const action = findUndoableAction(kind, services, name)
      const { undo } = action
      const { succeeded, unchanged, failed, failures } = await runTaskBatches(context, services, {
        requester: by,
        scopes: undoScopesOf(kind, action),
        start: { ...noProgress, isComplete: false },
        isComplete: ({ isComplete }) => isComplete,
        countDone: ({ done }) => done,
        async runBatch(tx, actor, progress) {
          const changes = await listBulkChanges(tx, bulk_task_id, chunkSize)
          if (!changes.length) return { ...progress, isComplete: true }
          const ids = changes.map(({ record_id }) => record_id)
          const outcomes = await applyToRecords(tx, ids, {
            kind,
            action: toUndoAction(kind, undo, changes),
            params: {},
            actor,
            now: services.clock.now(),
            requestKey: context.taskId,
            offset: progress.done,
            services,
          })
          await deleteBulkChanges(tx, bulk_task_id, ids)
          return { ...addOutcomes(progress, outcomes, kind.idsField), isComplete: false }
        },
      })
      const restored = succeeded + unchanged
      const skipped = { skipped: failed, [`skipped_${kind.type}s`]: failures }
      return { bulk_task_id, action: name, total, restored, ...skipped }
    },
  )

/** Returns an action that restores records, except those with another version than after the bulk action. */
function toUndoAction(kind: BulkKind, undo: BulkUndo, changes: readonly BulkChange[]): BulkAction {
  const changeOf = new Map(changes.map((change) => [change.record_id, change]))
  return {
    name: 'undo',
    takes: [],
    isForDeleted: undo.isForDeleted,
    lockBeforeRecords: undo.lockBeforeRecords,
    ...withApplyToAll(async (tx, ids, _params, by) => {
      const rows = await kind.lockValues(tx, ids)
      const unchanged = rows.filter(({ id, version }) => version === changeOf.get(id)?.version)
      const former = unchanged.map(({ id }) => ({ id, before: changeOf.get(id)!.before }))
      const results = former.length ? await undo.restore(tx, former, by) : []
      const resultOf = new Map(former.map(({ id }, index) => [id, results[index]!]))
      const changed = () => conflict('conflict', `The ${kind.type} was changed after the bulk action.`)
      return ids.map((id) => resultOf.get(id) ?? changed())
    }),
  }
}

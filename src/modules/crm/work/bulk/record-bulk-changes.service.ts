import type { TenantTx } from '#platform/db'
import { applyToRecords, type BulkRun } from './apply-to-records.service.ts'
import { formerValuesOf, type RecordOutcome } from './bulk.rules.ts'
import { insertBulkChanges } from './bulk-changes.queries.ts'
import type { BulkKind } from './bulk-kind.ts'

type Values = Awaited<ReturnType<BulkKind['lockValues']>>

export async function applyUndoably(
  tx: TenantTx,
  ids: readonly string[],
  run: BulkRun,
  taskId: string,
): Promise<RecordOutcome[]> {
  const { kind, action } = run
  const { undo } = action
  if (!undo) return await applyToRecords(tx, ids, run)
  let former: Values = []
  const outcomes = await applyToRecords(tx, ids, {
    ...run,
    async onLocked(existingIds) {
      former = await kind.lockValues(tx, existingIds)
    },
  })
  const changedIds = outcomes.flatMap(({ id, outcome }) => (outcome === 'ok' ? [id] : []))
  const formerOf = new Map(former.map((values) => [values.id, values]))
  const changed = changedIds.length ? await kind.lockValues(tx, changedIds) : []
  await insertBulkChanges(
    tx,
    kind,
    taskId,
    changed.map((values) => ({
      record_id: values.id,
      version: values.version,
      before: formerValuesOf(undo.fields, formerOf.get(values.id)!, values),
    })),
  )
  return outcomes
}

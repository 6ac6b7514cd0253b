import type { TObject } from 'typebox'
import type { UserActor } from '#platform/access'
import { recordAuditEntries } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { type DomainEvent, emitMany } from '#platform/outbox'
import { deleteUniqueValues } from '../custom-values/custom-values.queries.ts'
import { claimUniqueValues } from '../custom-values/store-custom-values.service.ts'

type DeletionColumns = { deleted_at: Date | null; deleted_by: string | null }

export type SoftDelete<Row, Columns extends object = object> = {
  type: 'lead' | 'contact' | 'account' | 'opportunity'
  updateRow(tx: TenantTx, id: string, columns: DeletionColumns & Partial<Columns>): Promise<Row>
  labelOf(record: Row): string | null
  deletedEvent: DomainEvent<TObject<Record<never, never>>>
  restoredEvent: DomainEvent<TObject<Record<never, never>>>
}

export type DeleteRecordOptions = { expectedVersion?: number; now: Date }

type DeletableRow = { id: string; version: number; custom: unknown }

export async function softDelete<Row extends DeletableRow>(
  tx: TenantTx,
  actor: UserActor,
  record: Row,
  definition: SoftDelete<Row>,
  now: Date,
): Promise<Row> {
  const deleted = await definition.updateRow(tx, record.id, toDeletionColumns(actor, now))
  await recordDeletions(tx, [{ before: record, after: deleted }], definition)
  return deleted
}

export const toDeletionColumns = ({ userId }: UserActor, now: Date) => ({ deleted_at: now, deleted_by: userId })

export async function recordDeletions<Row extends DeletableRow>(
  tx: TenantTx,
  changes: readonly { before: Row; after: Row }[],
  { type, labelOf, deletedEvent }: SoftDelete<Row>,
): Promise<void> {
  await deleteUniqueValues(
    tx,
    changes.map(({ before }) => before.id),
  )
  const entries = changes.map(({ before }) => ({ id: before.id, label: labelOf(before), before }))
  await recordAuditEntries(tx, `${type}.deleted`, entries)
  const events = changes.map(({ after: subject }) => ({ subject, data: {} }))
  await emitMany(tx, deletedEvent, events)
}

/** Restores a locked record; `columns` are derived values that changed while it was deleted. */
export async function restoreDeleted<Row extends DeletableRow, Columns extends object>(
  tx: TenantTx,
  record: Row,
  definition: SoftDelete<Row, Columns>,
  columns: Partial<Columns> = {},
): Promise<Row> {
  const restored = await definition.updateRow(tx, record.id, { deleted_at: null, deleted_by: null, ...columns })
  await recordRestorations(tx, [{ before: record, after: restored }], definition)
  return restored
}

/** Claims the unique values of the records again, which another record may have by now. */
export async function recordRestorations<Row extends DeletableRow>(
  tx: TenantTx,
  changes: readonly { before: Row; after: Row }[],
  { type, labelOf, restoredEvent }: Pick<SoftDelete<Row>, 'type' | 'labelOf' | 'restoredEvent'>,
): Promise<void> {
  for (const { after } of changes) await claimUniqueValues(tx, type, after)
  const entries = changes.map(({ before, after }) => ({ id: before.id, label: labelOf(before), before, after }))
  await recordAuditEntries(tx, `${type}.restored`, entries)
  const events = changes.map(({ after: subject }) => ({ subject, data: {} }))
  await emitMany(tx, restoredEvent, events)
}

import { canAccess, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { type ContactRow, lockContactEmails, lockContacts } from '../../people/contacts/contacts.queries.ts'
import { deleteContactsOf } from '../../people/contacts/delete-contact.service.ts'
import { type LeadRow, lockLeadEmails, lockLeads } from '../../people/lead-records/leads.queries.ts'
import { deleteLeadsOf } from '../../people/leads/delete-lead.service.ts'
import { lockScoringConfigShared } from '../../people/scoring/scoring.queries.ts'
import { lockAccountNamesShared } from '../../records/references/record-names.queries.ts'
import type { KeptReason } from '../import-mapping/import.schemas.ts'
import { listRecordVersions } from '../import-mapping/match-records.queries.ts'
import { type ImportedRecord, type ImportServices, importKinds, toRecordValues } from './import-kinds.ts'
import { findImport, type ImportRecord, updateImportRow } from './imports.queries.ts'
import { batchSize, groupByRecord, type RecordUndo } from './imports.rules.ts'
import { listWorkOnRecords } from './record-work.queries.ts'
import { sentEmailsPoint } from './sent-emails.ts'
import {
  listImportedVersions,
  listUndoableRows,
  saveImportedVersions,
  saveUndoOutcomes,
  type UndoableRow,
} from './undo-rows.queries.ts'

export type UndoProgress = { before: number; done: number; undone: number; kept: number; isComplete: boolean }

/** Undoes the last rows that are not undone yet. Records that people worked on, or that the user may not delete, are kept. */
export async function undoBatch(
  tx: TenantTx,
  actor: UserActor,
  importId: string,
  progress: UndoProgress,
  services: ImportServices,
): Promise<UndoProgress> {
  const row = await findImport(tx, importId)
  if (row?.state !== 'undoing') throw conflict('conflict', 'The undo was ended.')
  const before = Math.min(progress.before, maxRowNo)
  const rows = await listUndoableRows(tx, row, before, batchSize)
  const last = rows.at(-1)
  if (!last) return { ...progress, isComplete: true }
  const kept = await undoRows(tx, actor, row, rows, services)
  await saveUndoOutcomes(
    tx,
    importId,
    rows.map(({ row_no, record_id }) => ({ row_no, reason: kept.get(record_id) ?? null })),
  )
  const keptRows = rows.filter(({ record_id }) => kept.has(record_id)).length
  const next = {
    before: last.row_no,
    done: progress.done + rows.length,
    undone: progress.undone + rows.length - keptRows,
    kept: progress.kept + keptRows,
    isComplete: false,
  }
  await updateImportRow(tx, importId, { undone_count: next.undone, kept_count: next.kept })
  return next
}

const maxRowNo = 2_147_483_647

async function undoRows(
  tx: TenantTx,
  actor: UserActor,
  row: ImportRecord,
  rows: readonly UndoableRow[],
  services: ImportServices,
): Promise<Map<string, KeptReason>> {
  const undos = groupByRecord(rows)
  const records = await lockRecords(tx, row, undos)
  const kept = await findKeptRecords(tx, actor, row, undos, records, services)
  const undoable = undos.filter(({ id }) => !kept.has(id))
  const reset = undoable.flatMap(({ id, isCreated, before }) =>
    isCreated || !before ? [] : [{ id, values: before, record: toRecordValues(records.get(id)!) }],
  )
  const outcomes = await importKinds[row.object_type].update(tx, reset, { actor, services })
  reset.forEach(({ id }, index) => {
    if ('error' in outcomes[index]!) kept.set(id, 'rejected')
  })
  const resetIds = reset.map(({ id }) => id)
  await saveImportedVersions(tx, row, await listRecordVersions(tx, row.object_type, resetIds))
  const created = undoable.filter(({ isCreated }) => isCreated).map(({ id }) => records.get(id)!)
  await deleteRecords(tx, actor, row, created, services)
  return kept
}

/** The rows of a record that the import created are undone together or not at all. */
async function findKeptRecords(
  tx: TenantTx,
  actor: UserActor,
  row: ImportRecord,
  undos: readonly RecordUndo[],
  records: ReadonlyMap<string, ImportedRecord>,
  services: ImportServices,
): Promise<Map<string, KeptReason>> {
  const ids = undos.map(({ id }) => id)
  const versions = await listImportedVersions(tx, row, ids)
  const created = ids.filter((id) => records.get(id)?.import_id === row.id)
  const work = await findWorkOnRecords(tx, row, created, services)
  const reasonOf = (id: string): KeptReason | undefined => {
    const record = records.get(id)
    if (!record) return 'deleted'
    if (record.version !== versions.get(id)) return 'edited'
    const isCreated = record.import_id === row.id
    if (isCreated && !canAccess(actor, `${row.object_type}s.delete`, record)) return 'not_allowed'
    return work.get(id)
  }
  return new Map(
    ids.flatMap((id): [string, KeptReason][] => {
      const reason = reasonOf(id)
      return reason ? [[id, reason]] : []
    }),
  )
}

/** Returns one kind of work per record: activity before email before deal. */
async function findWorkOnRecords(
  tx: TenantTx,
  { object_type }: ImportRecord,
  ids: readonly string[],
  { registry }: ImportServices,
): Promise<Map<string, KeptReason>> {
  const work = new Map<string, KeptReason>(await listWorkOnRecords(tx, object_type, ids))
  for (const listRecordsWithSentEmails of registry.extensionsOf(sentEmailsPoint))
    for (const id of await listRecordsWithSentEmails(tx, object_type, ids))
      if (work.get(id) !== 'activity') work.set(id, 'email')
  return work
}

/** Takes the locks of the update too, in the global order. */
async function lockRecords(
  tx: TenantTx,
  { object_type }: ImportRecord,
  undos: readonly RecordUndo[],
): Promise<Map<string, ImportedRecord>> {
  const ids = undos.map(({ id }) => id)
  const formerOf = (field: string) => undos.flatMap(({ before }) => (before?.[field] as string | undefined) ?? [])
  const emails = formerOf('email').map((email) => email.toLowerCase())
  if (object_type === 'lead') {
    await lockScoringConfigShared(tx)
    await lockLeadEmails(tx, emails)
    return new Map((await lockLeads(tx, ids)).map((lead) => [lead.id, lead]))
  }
  await lockContactEmails(tx, emails)
  await lockAccountNamesShared(tx, formerOf('account_id'))
  return new Map((await lockContacts(tx, ids)).map((contact) => [contact.id, contact]))
}

async function deleteRecords(
  tx: TenantTx,
  actor: UserActor,
  { object_type }: ImportRecord,
  records: readonly ImportedRecord[],
  { clock }: ImportServices,
): Promise<void> {
  if (!records.length) return
  if (object_type === 'lead') await deleteLeadsOf(tx, actor, records as LeadRow[], clock.now())
  else await deleteContactsOf(tx, actor, records as ContactRow[], clock.now())
}

import { canAccess, type UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import type { ContactRow } from '../contacts/contacts.queries.ts'
import { lockContactEmails, lockContacts } from '../contacts/contacts.queries.ts'
import { deleteContactsOf } from '../contacts/delete-contact.service.ts'
import { listRecordVersions } from '../import-mapping/match-records.queries.ts'
import { type LeadRow, lockLeadEmails, lockLeads } from '../lead-records/leads.queries.ts'
import { deleteLeadsOf } from '../leads/delete-lead.service.ts'
import { lockAccountNamesShared } from '../records/record-names.queries.ts'
import { lockScoringConfigShared } from '../scoring/scoring-config.queries.ts'
import { type ImportedRecord, type ImportServices, importKinds, toRecordValues } from './import-kinds.ts'
import { listUndoableRows, saveRecordVersions, saveUndoOutcomes, type UndoableRow } from './import-rows.queries.ts'
import { findImport, type ImportRecord, updateImportRow } from './imports.queries.ts'
import { batchSize } from './imports.rules.ts'

export type UndoProgress = { before: number; done: number; undone: number; kept: number; isComplete: boolean }

/** Undoes the last rows that are not undone yet. Records that were edited since, or that the user may not delete, are kept. */
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
  const rows = oncePerRecord(await listUndoableRows(tx, row, before, batchSize))
  const last = rows.at(-1)
  if (!last) return { ...progress, isComplete: true }
  const undone = await undoRows(tx, actor, row, rows, services)
  await saveUndoOutcomes(
    tx,
    importId,
    rows.map(({ row_no }) => ({ row_no, outcome: undone.has(row_no) ? 'undone' : 'kept' })),
  )
  const next = {
    before: last.row_no,
    done: progress.done + rows.length,
    undone: progress.undone + undone.size,
    kept: progress.kept + rows.length - undone.size,
    isComplete: false,
  }
  await updateImportRow(tx, importId, { undone_count: next.undone, kept_count: next.kept })
  return next
}

const maxRowNo = 2_147_483_647

/** Each batch has a record at most once, so that several rows of a record are undone one after another. */
function oncePerRecord(rows: readonly UndoableRow[]): UndoableRow[] {
  const seen = new Set<string>()
  const end = rows.findIndex(({ record_id }) => seen.size === seen.add(record_id).size)
  return rows.slice(0, end < 0 ? rows.length : end)
}

async function undoRows(
  tx: TenantTx,
  actor: UserActor,
  row: ImportRecord,
  rows: readonly UndoableRow[],
  services: ImportServices,
): Promise<Set<number>> {
  const records = await lockRecords(tx, row, rows)
  const isUnedited = ({ record_id, record_version }: UndoableRow) => records.get(record_id)?.version === record_version
  const mayUndo = ({ outcome, record_id }: UndoableRow) =>
    outcome === 'updated' || canAccess(actor, `${row.object_type}s.delete`, records.get(record_id)!)
  const undoable = rows.filter((imported) => isUnedited(imported) && mayUndo(imported))
  const reset = undoable.filter(({ outcome, before }) => outcome === 'updated' && before !== null)
  const outcomes = await importKinds[row.object_type].update(
    tx,
    reset.map(({ record_id, before }) => ({
      id: record_id,
      values: before!,
      record: toRecordValues(records.get(record_id)!),
    })),
    { actor, services },
  )
  await saveRecordVersions(
    tx,
    row.id,
    await listRecordVersions(
      tx,
      row.object_type,
      reset.map(({ record_id }) => record_id),
    ),
  )
  const created = undoable
    .filter(({ outcome }) => outcome === 'created')
    .map(({ record_id }) => records.get(record_id)!)
  await deleteRecords(tx, actor, row, created, services)
  const failed = new Set(reset.filter((_, index) => 'error' in outcomes[index]!).map(({ row_no }) => row_no))
  return new Set(undoable.map(({ row_no }) => row_no).filter((rowNo) => !failed.has(rowNo)))
}

/** Takes the locks of the update too, in the global order. */
async function lockRecords(
  tx: TenantTx,
  { object_type }: ImportRecord,
  rows: readonly UndoableRow[],
): Promise<Map<string, ImportedRecord>> {
  const ids = rows.map(({ record_id }) => record_id)
  const formerOf = (field: string) => rows.flatMap(({ before }) => (before?.[field] as string | undefined) ?? [])
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

import { readSettings } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { type TenantTx, withRolledBackSavepoint } from '#platform/db'
import { conflict } from '#platform/errors'
import { checkManyCustomChanges } from '../../records/custom-values/check-custom-values.service.ts'
import type { CustomValues } from '../../records/custom-values/custom-values.schemas.ts'
import { lockCustomFieldsShared } from '../../records/custom-values/field-definitions.queries.ts'
import type { RowMessage } from '../import-mapping/import.schemas.ts'
import { listImportFields } from '../import-mapping/import-fields.rules.ts'
import { listMappedColumns, listUserTexts } from '../import-mapping/mapped-columns.rules.ts'
import { hashMatchKey, matchKeyOf, subjectsOfRow } from '../import-mapping/match-rows.rules.ts'
import { type ConvertedLead, findMatches, findUsersByText, type Matches } from '../import-mapping/match-rows.service.ts'
import { toRecordInput } from '../import-mapping/merge-values.rules.ts'
import { createRowParser } from '../import-mapping/parse-row.rules.ts'
import { type ImportServices, importKinds } from './import-kinds.ts'
import {
  listCreatedKeys,
  listRowsAfter,
  type PendingRow,
  type RowResult,
  saveRowResults,
} from './import-rows.queries.ts'
import { findImport, updateImportRow } from './imports.queries.ts'
import { addResults, batchSize, type Counts, toCountColumns, toResult } from './imports.rules.ts'
import { type Candidate, groupByKey, type RowGroup } from './row-groups.rules.ts'
import { writeGroups } from './write-groups.service.ts'
import { type Batch, createRecords, updateRecords } from './write-records.service.ts'

/** `position` is the last row up to which all rows are done, `done` their number. `enrolled` follows `position`. */
export type ImportProgress = { position: number; done: number; enrolled: number; counts: Counts }

/**
 * Processes the next rows in one transaction; rows of one key are one write. New and matched rows are written in separate transactions,
 * because both take the same locks. The rows that remain are those of the next batch.
 */
export async function importBatch(
  tx: TenantTx,
  actor: UserActor,
  importId: string,
  progress: ImportProgress,
  services: ImportServices,
): Promise<ImportProgress> {
  const rows = await listRowsAfter(tx, importId, progress.position, batchSize)
  const batch = await readBatch(tx, actor, importId, rows, services)
  const pending = rows.filter(({ run_no }) => run_no !== batch.row.run_no)
  const isDryRun = batch.row.state === 'checking'
  const results = await (isDryRun
    ? withRolledBackSavepoint(tx, () => processRows(tx, batch, pending))
    : processRows(tx, batch, pending))
  await saveRowResults(tx, batch.row, results)
  const isDone = results.length === pending.length
  const counts = addResults(progress.counts, results)
  const next = {
    ...progress,
    counts,
    ...(isDone && { position: rows.at(-1)?.row_no ?? progress.position, done: progress.done + rows.length }),
  }
  if (!isDryRun) await updateImportRow(tx, importId, { ...toCountColumns(counts), done_rows: next.done })
  return next
}

async function readBatch(
  tx: TenantTx,
  actor: UserActor,
  importId: string,
  rows: readonly PendingRow[],
  services: ImportServices,
): Promise<Batch> {
  const row = await findImport(tx, importId)
  if (!row?.mapping || !row.options || !['running', 'checking'].includes(row.state))
    throw conflict('conflict', 'The import was ended.')
  const customFields = await lockCustomFieldsShared(tx, row.object_type)
  const { columns, mapping, options, file_facts: facts } = row
  const fields = listImportFields(row.object_type, customFields)
  const cells = rows.map((pending) => pending.cells)
  const users = await findUsersByText(
    tx,
    listUserTexts(listMappedColumns({ columns, mapping, fields }), cells, Object.values(options.default_values)),
  )
  const { currency, timezone } = await readSettings(tx, 'general')
  const parser = createRowParser({ columns, mapping, options, fields, facts, users, currency, timezone })
  return { row, options: row.options, parser, kind: importKinds[row.object_type], actor, services, customFields }
}

async function processRows(tx: TenantTx, batch: Batch, pending: readonly PendingRow[]): Promise<RowResult[]> {
  const { parser, options, customFields, kind, row } = batch
  const parsed = pending.map(({ row_no, cells, problem }) => ({ row_no, parsed: parser.parseRow(cells, problem) }))
  const invalid = parsed.filter((item) => item.parsed.errors.length > 0)
  const valid = parsed
    .filter((item) => !item.parsed.errors.length)
    .map((item): Candidate => {
      const { values } = item.parsed
      return { ...item, key: matchKeyOf(values, options, customFields), subjects: subjectsOfRow(values) }
    })
  const failed = await findCustomProblems(tx, batch, groupByKey(valid))
  const groups = groupByKey(valid.filter(({ row_no }) => !failed.has(row_no)))
  const emails = valid.flatMap(({ parsed: { values } }) => (values.email as string | undefined) ?? [])
  await kind.lockAddresses(tx, [...new Set(emails.map((email) => email.toLowerCase()))])
  const keys = groups.flatMap(({ key }) => key ?? [])
  const matches = await findMatches(tx, keys, { objectType: row.object_type, matchBy: options.match_by, customFields })
  const planned = row.state === 'checking' ? await findPlanned(tx, batch, groups) : new Set<RowGroup>()
  const { ambiguous, converted, matched, unmatched } = sortGroups(groups, matches)
  const created = unmatched.filter((group) => !planned.has(group))
  const skips = options.on_match === 'skip'
  const results = [
    ...invalid.map((item) => toResult(item.row_no, 'failed', { errors: item.parsed.errors })),
    ...[...failed].map(([row_no, errors]) => toResult(row_no, 'failed', { errors })),
    ...ambiguous.flatMap((group) => resultsOf(group, 'failed', { errors: [ambiguousMatch] })),
    ...converted.flatMap(({ group, lead }) => resultsOf(group, 'skipped', toConvertedResult(lead))),
    ...(skips ? matched : []).flatMap(({ group, id }) => resultsOf(group, 'skipped', { record_id: id })),
    ...unmatched
      .filter((group) => planned.has(group))
      .flatMap((group) => resultsOf(group, skips ? 'skipped' : 'updated')),
  ]
  if (created.length) {
    const outcomes = await writeGroups(tx, batch, created, (groups) => createRecords(tx, batch, groups))
    const keyOfRow = new Map(created.flatMap(({ key, rows: [first] }) => (key ? [[first.row_no, key] as const] : [])))
    const toHash = ({ row_no, outcome }: RowResult) =>
      outcome === 'created' && keyOfRow.has(row_no) ? hashMatchKey(row.id, keyOfRow.get(row_no)!) : null
    return [...results, ...outcomes.map((result) => ({ ...result, match_hash: toHash(result) }))]
  }
  if (skips || !matched.length) return results
  const idOf = new Map(matched.map(({ group, id }) => [group.key!.key, id]))
  const groupsToUpdate = matched.map(({ group }) => group)
  const outcomes = await writeGroups(tx, batch, groupsToUpdate, (groups) =>
    updateRecords(
      tx,
      batch,
      groups.map((group) => ({ group, id: idOf.get(group.key!.key)! })),
    ),
  )
  return [...results, ...outcomes]
}

/** Finds custom values that are not valid and that another row of the key would replace before they are written. */
async function findCustomProblems(tx: TenantTx, { row, parser, services }: Batch, groups: readonly RowGroup[]) {
  const rows = groups.flatMap((group) => (group.rows.length > 1 ? group.rows : []))
  if (!rows.length) return new Map<number, RowMessage[]>()
  const customs = rows.map(({ parsed }) => (toRecordInput(parsed.values).custom ?? {}) as CustomValues)
  const outcomes = await checkManyCustomChanges(tx, row.object_type, customs, services.clock.now())
  return new Map(
    outcomes.flatMap((outcome, index): [number, RowMessage[]][] =>
      'error' in outcome ? [[rows[index]!.row_no, parser.toMessages(outcome.error)]] : [],
    ),
  )
}

const resultsOf = ({ rows }: RowGroup, outcome: RowResult['outcome'], rest: Partial<RowResult> = {}) =>
  rows.map(({ row_no }) => toResult(row_no, outcome, rest))

function sortGroups(groups: readonly RowGroup[], { ids, converted }: Matches) {
  const idsOf = ({ key }: RowGroup) => (key && ids.get(key.key)) || []
  const convertedOf = ({ key }: RowGroup) => key && converted.get(key.key)
  return {
    ambiguous: groups.filter((group) => idsOf(group).length > 1),
    matched: groups.flatMap((group) => (idsOf(group).length === 1 ? [{ group, id: idsOf(group)[0]! }] : [])),
    converted: groups.flatMap((group) => {
      const lead = convertedOf(group)
      return lead ? [{ group, lead }] : []
    }),
    unmatched: groups.filter((group) => !idsOf(group).length && !convertedOf(group)),
  }
}

function toConvertedResult({ id, contactId }: ConvertedLead): Partial<RowResult> {
  const contact = contactId ? `the contact ${contactId}` : 'a contact'
  const warning = {
    column: null,
    field: null,
    code: 'converted',
    message: `The lead was converted to ${contact}. Import the row as a contact to update it.`,
    ...(contactId && { record_id: contactId }),
  }
  return { record_id: id, warnings: [warning] }
}

const ambiguousMatch = {
  column: null,
  field: null,
  code: 'ambiguous_match',
  message: 'The row matches several records. Merge them, or match by another field.',
}

/** In a dry run, groups whose record an earlier row of the file would create. */
async function findPlanned(tx: TenantTx, { row }: Batch, groups: readonly RowGroup[]): Promise<Set<RowGroup>> {
  const hashed = groups.flatMap((group) => (group.key ? [{ group, hash: hashMatchKey(row.id, group.key) }] : []))
  const created = await listCreatedKeys(
    tx,
    row,
    hashed.map(({ hash }) => hash),
  )
  return new Set(hashed.filter(({ hash }) => created.has(hash)).map(({ group }) => group))
}

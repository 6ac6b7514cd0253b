import type { UserActor } from '#platform/access'
import { type TenantTx, withRolledBackSavepoint, withSavepoint } from '#platform/db'
import { conflict } from '#platform/errors'
import { lockCustomFieldsShared } from '../custom-values/field-definitions.queries.ts'
import { listImportFields } from '../import-mapping/import-fields.rules.ts'
import { hashMatchKey, matchKeyOf, subjectsOfRow } from '../import-mapping/match-rows.rules.ts'
import { findErasedSubjects, findMatches } from '../import-mapping/match-rows.service.ts'
import { createRowParser } from '../import-mapping/parse-row.rules.ts'
import { baseCurrencyOf } from '../settings/crm-settings.queries.ts'
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
import { type Batch, type Candidate, createRecords, updateRecords } from './write-records.service.ts'

/** `position` is the last row up to which all rows are done, `done` their number. `enrolled` follows `position`. */
export type ImportProgress = { position: number; done: number; enrolled: number; counts: Counts }

/**
 * Processes the next rows in one transaction. New and matched rows are written in separate transactions, because both take the same
 * locks, and of several rows with one key the first comes first. The rows that remain are those of the next batch.
 */
export async function importBatch(
  tx: TenantTx,
  actor: UserActor,
  importId: string,
  progress: ImportProgress,
  services: ImportServices,
): Promise<ImportProgress> {
  const batch = await readBatch(tx, actor, importId, services)
  const rows = await listRowsAfter(tx, importId, progress.position, batchSize)
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

async function readBatch(tx: TenantTx, actor: UserActor, importId: string, services: ImportServices): Promise<Batch> {
  const row = await findImport(tx, importId)
  if (!row?.mapping || !row.options || !['running', 'checking'].includes(row.state))
    throw conflict('conflict', 'The import was ended.')
  const customFields = await lockCustomFieldsShared(tx, row.object_type)
  const parser = createRowParser({
    columns: row.columns,
    mapping: row.mapping,
    options: row.options,
    fields: listImportFields(row.object_type, customFields),
    currency: await baseCurrencyOf(tx),
  })
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
  const candidates = firstOfEachKey(valid)
  const emails = candidates.flatMap(({ parsed: { values } }) => (values.email as string | undefined) ?? [])
  await kind.lockAddresses(
    tx,
    emails.map((email) => email.toLowerCase()),
  )
  const keys = candidates.flatMap(({ key }) => key ?? [])
  const matches = await findMatches(tx, row.object_type, keys, options, customFields)
  const idsOf = ({ key }: Candidate) => (key && matches.get(key.key)) || []
  const planned = row.state === 'checking' ? await findPlanned(tx, batch, candidates) : new Set<Candidate>()

  const ambiguous = candidates.filter((candidate) => idsOf(candidate).length > 1)
  const matched = candidates.filter((candidate) => idsOf(candidate).length === 1)
  const unmatched = candidates.filter((candidate) => !idsOf(candidate).length)
  const created = unmatched.filter((candidate) => !planned.has(candidate))
  const skipped = options.on_match === 'skip' ? matched : []
  const updated = options.on_match === 'skip' ? [] : matched
  const results = [
    ...invalid.map((item) => toResult(item.row_no, 'failed', { errors: item.parsed.errors })),
    ...ambiguous.map(({ row_no }) => toResult(row_no, 'failed', { errors: [ambiguousMatch] })),
    ...skipped.map((candidate) => toResult(candidate.row_no, 'skipped', { record_id: idsOf(candidate)[0]! })),
    ...[...planned]
      .filter((candidate) => unmatched.includes(candidate))
      .map(({ row_no }) => toResult(row_no, options.on_match === 'skip' ? 'skipped' : 'updated')),
  ]
  const withHash = (result: RowResult, { key }: Candidate): RowResult => ({
    ...result,
    match_hash: key && hashMatchKey(row.id, key),
  })
  if (created.length) {
    const outcomes = await excludeErased(tx, batch, created, (remaining) => createRecords(tx, batch, remaining))
    const byRow = new Map(created.map((candidate) => [candidate.row_no, candidate]))
    return [...results, ...outcomes.map((result) => withHash(result, byRow.get(result.row_no)!))]
  }
  if (!updated.length) return results
  const updates = updated.map((candidate) => ({ ...candidate, id: idsOf(candidate)[0]! }))
  return [...results, ...(await excludeErased(tx, batch, updates, (remaining) => updateRecords(tx, batch, remaining)))]
}

const ambiguousMatch = {
  column: null,
  field: null,
  code: 'ambiguous_match',
  message: 'The row matches several records. Merge them, or match by another field.',
}

function firstOfEachKey(rows: readonly Candidate[]): Candidate[] {
  const seen = new Set<string>()
  return rows.filter(({ key }) => {
    if (key === null) return true
    if (seen.has(key.key)) return false
    seen.add(key.key)
    return true
  })
}

/** In a dry run, rows whose record an earlier row of the file would create. */
async function findPlanned(tx: TenantTx, { row }: Batch, candidates: readonly Candidate[]): Promise<Set<Candidate>> {
  const hashed = candidates.flatMap((candidate) =>
    candidate.key ? [{ candidate, hash: hashMatchKey(row.id, candidate.key) }] : [],
  )
  const created = await listCreatedKeys(
    tx,
    row,
    hashed.map(({ hash }) => hash),
  )
  return new Set(hashed.filter(({ hash }) => created.has(hash)).map(({ candidate }) => candidate))
}

class ErasedMeanwhile extends Error {
  override name = 'ErasedMeanwhile'
}

/**
 * Fails the rows of persons who were erased since the file was uploaded. The second look, after the consent of new records was locked,
 * finds erasures that have started since; those that start later wait for this transaction and find its records.
 */
async function excludeErased<C extends Candidate>(
  tx: TenantTx,
  { row, services }: Batch,
  candidates: readonly C[],
  write: (remaining: readonly C[]) => Promise<RowResult[]>,
): Promise<RowResult[]> {
  const subjects = candidates.flatMap((candidate) => candidate.subjects)
  const find = () => findErasedSubjects(tx, services, subjects, row.created_at)
  const isErased = (erased: ReadonlySet<string>) => (candidate: C) =>
    candidate.subjects.some((subject) => erased.has(subject))
  let erased = await find()
  for (;;) {
    const remaining = candidates.filter((candidate) => !isErased(erased)(candidate))
    try {
      const results = await withSavepoint(tx, async () => {
        const written = remaining.length ? await write(remaining) : []
        const now = await find()
        if (remaining.some(isErased(now))) throw new ErasedMeanwhile()
        return written
      })
      const failed = candidates.filter(isErased(erased))
      return [...results, ...failed.map(({ row_no }) => toResult(row_no, 'failed', { errors: [erasedPerson] }))]
    } catch (error) {
      if (!(error instanceof ErasedMeanwhile)) throw error
      erased = await find()
    }
  }
}

const erasedPerson = {
  column: null,
  field: null,
  code: 'erased',
  message: 'The data of the person was erased since the file was uploaded.',
}

import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { skipQueuedEmails } from '#modules/email'
import { createImportedTenant, deleteTenantRows, hasTenantRows, type NewImportedTenant } from '#modules/identity'
import { stopRestoredCadences } from '#modules/marketing'
import { cancelOpenDistributions, resetAnonymousSurveys } from '#modules/surveys'
import { renewAuditEntry, renewedAuditColumns } from '#platform/audit'
import { type SystemTx, type TenantTx, tenantIdOf } from '#platform/db'
import { conflict } from '#platform/errors'
import { markFilesMissing } from '#platform/files'
import type { Tables } from '#platform/module'
import { emit } from '#platform/outbox'
import type { Manifest } from '../archives/archive-manifest.ts'
import type { TablePlan } from '../archives/convert-archive.rules.ts'
import { readEntries, readLines, readPart, tableOfPart } from '../archives/read-archive.ts'
import type { SealedReader } from '../archives/sealed-entries.ts'
import { tenantSendersStopped } from '../operations.events.ts'
import { insertImportedRows, prepareImport } from './import-rows.queries.ts'
import { type ImportPlan, planImport } from './plan-import.service.ts'

export type RowSource = {
  open(): Promise<Readable>
  manifest: Manifest
  tables: Tables
  /** Decrypts the sealed values of a row, if this is the workspace that the archive was written from. */
  openSealed?(table: string, line: string): string | undefined
  readSealed?: SealedReader
  /** Leaves tables out. */
  includes?(table: string): boolean
  /** Leaves rows out. */
  accepts?(table: string, line: string): boolean
  keptTables?: ReadonlySet<string>
  onRows?(count: number): void
}

export type ImportedRows = { tables: Record<string, number>; skipped: Record<string, number> }

type NewTenantSource = RowSource & { tenant: NewImportedTenant; fileIds: readonly string[]; now: Date }

/** Inserts all rows in one transaction, under the row-level security of the new workspace. Triggers fill derived tables. */
export function importRows(
  system: SystemTx,
  { tenant, fileIds, now, ...source }: NewTenantSource,
): Promise<ImportedRows> {
  return createImportedTenant(system, tenant, async (tx) => {
    const imported = await insertArchivedRows(tx, source)
    await insertSealedRows(tx, source)
    await markFilesMissing(tx, fileIds, now)
    await resetAnonymousSurveys(tx, source.manifest.schema_version)
    await stopRestoredSenders(tx, now)
    return imported
  })
}

export async function insertArchivedRows(tx: TenantTx, source: RowSource): Promise<ImportedRows> {
  const { open, manifest, onRows } = source
  const { plans, skipped } = await planInserts(tx, source)
  await prepareImport(tx)
  const counts: Record<string, number> = {}
  const parts = new Map(
    manifest.tables.flatMap(({ name: table, parts }) =>
      plans.has(table) ? parts.map((part) => [part.name, { ...part, table }]) : [],
    ),
  )
  if (!parts.size) return { tables: counts, skipped }
  for await (const { name, content } of readEntries(await open())) {
    const part = parts.get(name)
    if (!part) continue
    const text = (await readPart(content)).toString()
    if (hash('sha256', text) !== part.sha256) throw conflict('conflict', `The entry ${name} changed during the import.`)
    const { table } = part
    if (!(table in counts) && !source.keptTables?.has(table)) await removeDerivedRows(tx, table)
    const inserted = await insertPart(tx, plans.get(table)!, text.trimEnd().split('\n'), source)
    counts[table] = (counts[table] ?? 0) + inserted
    onRows?.(inserted)
    parts.delete(name)
    // The files after the last rows may be large, and the transaction would wait for them.
    if (!parts.size) break
  }
  return { tables: counts, skipped }
}

const planInserts = (tx: TenantTx, { manifest, tables, includes = () => true, openSealed }: RowSource) =>
  planImport(tx, manifest, { tables, includes, isOwnArchive: openSealed !== undefined })

/** Inserts the sealed rows, which refer to readable ones. They are not counted, because their number is sealed too. */
export async function insertSealedRows(tx: TenantTx, source: RowSource): Promise<void> {
  if (!source.readSealed) return
  const { plans } = await planInserts(tx, source)
  for await (const { name, content } of source.readSealed()) {
    const plan = plans.get(tableOfPart(name) ?? '')
    if (!plan) continue
    const { table, hashes, readable, opened } = plan
    await insertPart(tx, { table, hashes, readable: opened ?? readable }, await readLines(content), source)
  }
}

/** Triggers of an earlier table may have filled this one, whose rows are in the archive. */
async function removeDerivedRows(tx: TenantTx, table: string): Promise<void> {
  if (await hasTenantRows(tx, table)) await deleteTenantRows(tx, table, 2_147_483_647)
}

/** Rows whose sealed values cannot be read get random hashes, or are left out if all their values are sealed. */
async function insertPart(
  tx: TenantTx,
  { table, hashes, readable, opened }: ImportPlan,
  archived: string[],
  { openSealed, accepts, keptTables }: RowSource,
): Promise<number> {
  const lines = accepts ? archived.filter((line) => accepts(table, line)) : archived
  const whole = opened && openSealed ? lines.map((line) => openSealed(table, line)) : []
  const withoutValues = lines.filter((_, index) => whole[index] === undefined)
  const isComplement = keptTables?.has(table) ?? false
  const insert = async (plan: TablePlan | undefined, rows: string[]) =>
    plan && rows.length ? await insertRows(tx, { table, hashes, isComplement, ...plan }, rows) : 0
  return (
    (await insert(
      opened,
      whole.filter((line) => line !== undefined),
    )) + (await insert(readable, withoutValues))
  )
}

type InsertPlan = TablePlan & { table: string; hashes: readonly string[]; isComplement: boolean }

async function insertRows(
  tx: TenantTx,
  { table, columns, hashes, convert, isComplement }: InsertPlan,
  lines: string[],
) {
  const isAudit = table === 'platform.audit_log'
  const imported = isAudit ? renewedAuditColumns(columns) : columns
  const converted = convert ? lines.map(convert) : lines
  return await insertImportedRows(tx, {
    table,
    columns: imported,
    randomColumns: hashes.filter((column) => !imported.includes(column)),
    json: `[${(isAudit ? converted.map(renewAuditEntry) : converted).join(',')}]`,
    isComplement,
  })
}

/**
 * Stops everything in the rows of an archive that sends emails, in the transaction that inserts them. Emails may have been sent since the
 * archive was written, and the workspace that it was written from may still send them.
 */
export async function stopRestoredSenders(tx: TenantTx, now: Date): Promise<void> {
  const emails = await skipQueuedEmails(tx, 'restored')
  const { cadences, flows } = await stopRestoredCadences(tx, now)
  const distributions = await cancelOpenDistributions(tx)
  const stopped = { cadences, flows, distributions, emails }
  if (Object.values(stopped).some((count) => count > 0))
    await emit(tx, tenantSendersStopped, { id: tenantIdOf(tx) }, stopped)
}

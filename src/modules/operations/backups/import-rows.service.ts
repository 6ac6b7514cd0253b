import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { createImportedTenant, deleteTenantRows, hasTenantRows, type NewImportedTenant } from '#modules/identity'
import { renewAuditEntry, renewedAuditColumns } from '#platform/audit'
import type { SystemTx, TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { markFilesMissing } from '#platform/files'
import { listExportColumns, type Tables } from '#platform/module'
import type { Manifest } from './archive-manifest.ts'
import { planTable, type TablePlan } from './convert-archive.rules.ts'
import {
  deferReferences,
  insertImportedRows,
  isKnownVersion,
  listTableColumns,
  type TableColumns,
} from './import-rows.queries.ts'
import { readEntries, readPart } from './read-archive.ts'

/** Entries of an imported audit log are sealed again, so the seals stay in the archive. */
const unimportedTables = new Set(['platform.audit_seals'])

type RowSource = {
  open(): Promise<Readable>
  manifest: Manifest
  tenant: NewImportedTenant
  tables: Tables
  fileIds: readonly string[]
  now: Date
}

export type ImportedRows = { tables: Record<string, number>; skipped: Record<string, number> }

/** Inserts all rows in one transaction, under the row-level security of the new workspace. Triggers fill derived tables. */
export async function importRows(system: SystemTx, source: RowSource): Promise<ImportedRows> {
  const { open, manifest, tenant, tables, fileIds, now } = source
  return await createImportedTenant(system, tenant, async (tx) => {
    const { plans, skipped } = await planImport(tx, manifest, tables)
    await deferReferences(tx)
    const counts: Record<string, number> = {}
    const parts = new Map(
      manifest.tables.flatMap((table) => table.parts.map((part) => [part.name, { ...part, table: table.name }])),
    )
    for await (const { name, content } of readEntries(await open())) {
      const part = parts.get(name)
      const plan = part && plans.get(part.table)
      if (!plan) continue
      const text = (await readPart(content)).toString()
      if (hash('sha256', text) !== part.sha256)
        throw conflict('conflict', `The entry ${name} changed during the import.`)
      const { table } = part
      if (!(table in counts)) await removeDerivedRows(tx, table)
      counts[table] = (counts[table] ?? 0) + (await insertPart(tx, plan, text.trimEnd().split('\n')))
    }
    await markFilesMissing(tx, fileIds, now)
    return { tables: counts, skipped }
  })
}

/** Triggers of an earlier table may have filled this one, whose rows are in the archive. */
async function removeDerivedRows(tx: TenantTx, table: string): Promise<void> {
  if (await hasTenantRows(tx, table)) await deleteTenantRows(tx, table, 2_147_483_647)
}

type ImportPlan = TablePlan & { table: string; hashes: readonly string[] }

async function insertPart(tx: TenantTx, { table, columns, hashes, convert }: ImportPlan, lines: string[]) {
  const isAudit = table === 'platform.audit_log'
  const imported = isAudit ? renewedAuditColumns(columns) : columns
  const converted = convert ? lines.map(convert) : lines
  return await insertImportedRows(tx, {
    table,
    columns: imported,
    randomColumns: hashes.filter((column) => !imported.includes(column)),
    json: `[${(isAudit ? converted.map(renewAuditEntry) : converted).join(',')}]`,
  })
}

const noColumns: Omit<TableColumns, 'table'> = { all: [], required: [], hashes: [] }

/** Archives of earlier versions are converted, those of later ones are refused. */
async function planImport(tx: TenantTx, { schema_version, tables: archived }: Manifest, tables: Tables) {
  if (!(await isKnownVersion(tx, schema_version)))
    throw conflict(
      'conflict',
      `The archive has the schema version ${schema_version}, which this database does not have. Upgrade it, then import the archive.`,
    )
  const exported = await listExportColumns(tx, tables)
  const current = await listTableColumns(tx, [...exported.keys()])
  const plans = new Map<string, ImportPlan>()
  const skipped: Record<string, number> = {}
  for (const { rows, ...table } of archived) {
    if (unimportedTables.has(table.name)) continue
    const { all, required, hashes } = current.get(table.name) ?? noColumns
    const columns = exported.get(table.name)
    const provided = required.filter((column) => !hashes.includes(column))
    const conversion = planTable(table, columns && { all, exported: columns, required: provided })
    if ('problem' in conversion) throw conflict('conflict', `${conversion.problem} Nothing was imported.`)
    if ('isSkipped' in conversion) skipped[table.name] = rows
    else plans.set(table.name, { ...conversion.plan, table: table.name, hashes })
  }
  return { plans, skipped }
}

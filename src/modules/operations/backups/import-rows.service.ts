import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { createImportedTenant, deleteTenantRows, hasTenantRows, type NewImportedTenant } from '#modules/identity'
import { renewAuditEntry, renewedAuditColumns } from '#platform/audit'
import type { SystemTx, TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { markFilesMissing } from '#platform/files'
import { listExportColumns, type Tables } from '#platform/module'
import type { Manifest } from './archive-manifest.ts'
import { findSchemaVersion } from './export-rows.queries.ts'
import { deferReferences, insertImportedRows, listRequiredHashes } from './import-rows.queries.ts'
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

/** Inserts all rows in one transaction, under the row-level security of the new workspace. Triggers fill derived tables. */
export async function importRows(system: SystemTx, source: RowSource): Promise<Record<string, number>> {
  const { open, manifest, tenant, tables, fileIds, now } = source
  return await createImportedTenant(system, tenant, async (tx) => {
    await assertSameSchema(tx, manifest, tables)
    await deferReferences(tx)
    const counts: Record<string, number> = {}
    const parts = new Map(
      manifest.tables.flatMap((table) => table.parts.map((part) => [part.name, { ...part, table }])),
    )
    for await (const { name, content } of readEntries(await open())) {
      const part = parts.get(name)
      if (!part || unimportedTables.has(part.table.name)) continue
      const text = (await readPart(content)).toString()
      if (hash('sha256', text) !== part.sha256)
        throw conflict('conflict', `The entry ${name} changed during the import.`)
      const table = part.table.name
      if (!(table in counts)) await removeDerivedRows(tx, table)
      counts[table] = (counts[table] ?? 0) + (await insertPart(tx, part.table, text.trimEnd().split('\n')))
    }
    await markFilesMissing(tx, fileIds, now)
    return counts
  })
}

/** Triggers of an earlier table may have filled this one, whose rows are in the archive. */
async function removeDerivedRows(tx: TenantTx, table: string): Promise<void> {
  if (await hasTenantRows(tx, table)) await deleteTenantRows(tx, table, 2_147_483_647)
}

async function insertPart(tx: TenantTx, { name: table, columns }: Manifest['tables'][number], lines: string[]) {
  const isAudit = table === 'platform.audit_log'
  const imported = isAudit ? renewedAuditColumns(columns) : columns
  const required = await listRequiredHashes(tx, table)
  return await insertImportedRows(tx, {
    table,
    columns: imported,
    randomColumns: required.filter((column) => !imported.includes(column)),
    json: `[${(isAudit ? lines.map(renewAuditEntry) : lines).join(',')}]`,
  })
}

async function assertSameSchema(tx: TenantTx, manifest: Manifest, tables: Tables): Promise<void> {
  const current = await findSchemaVersion(tx)
  if (manifest.schema_version !== current)
    throw conflict(
      'conflict',
      `The archive has the schema version ${manifest.schema_version}, but this database has ${current}. Import it into a database of ` +
        'that version, then migrate.',
    )
  const columnsOf = await listExportColumns(tx, tables)
  for (const { name, columns } of manifest.tables) {
    const known = new Set(columnsOf.get(name))
    if (!columns.every((column) => known.has(column)))
      throw conflict('conflict', `The archive contains columns of ${name} that this version does not export.`)
  }
}

import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { listExportColumns, listSealedColumns, type Tables } from '#platform/module'
import type { Manifest } from '../archives/archive-manifest.ts'
import { planTable, type TablePlan } from '../archives/convert-archive.rules.ts'
import { isKnownVersion, listTableColumns, type TableColumns } from './import-rows.queries.ts'

/** Entries of an imported audit log are sealed again, so the seals stay in the archive. */
const unimportedTables = new Set(['platform.audit_seals'])

/** Describes the inserts: of `opened` rows with their sealed values, of the others without. */
export type ImportPlan = { table: string; hashes: readonly string[]; readable?: TablePlan; opened?: TablePlan }

const noColumns: Omit<TableColumns, 'table'> = { all: [], required: [], hashes: [] }

type PlanOptions = { tables: Tables; includes(table: string): boolean; isOwnArchive: boolean }

/** Archives of earlier versions are converted, those of later ones are refused. */
export async function planImport(
  tx: TenantTx,
  { schema_version, tables: archived }: Manifest,
  { tables, includes, isOwnArchive }: PlanOptions,
) {
  if (!(await isKnownVersion(tx, schema_version)))
    throw conflict(
      'conflict',
      `The archive has the schema version ${schema_version}, which this database does not have. Upgrade it, then import the archive.`,
    )
  const exported = await listExportColumns(tx, tables)
  const sealed = listSealedColumns(tables)
  const current = await listTableColumns(tx, [...exported.keys()])
  const plans = new Map<string, ImportPlan>()
  const skipped: Record<string, number> = {}
  for (const { name, columns, rows, sealed: sealedColumns = [] } of archived) {
    if (unimportedTables.has(name) || !includes(name)) continue
    const { all, required, hashes } = current.get(name) ?? noColumns
    const known = exported.get(name)
    const plan = (archivedColumns: string[], accepted: string[], provided: string[]) => {
      const target = known && {
        all,
        exported: accepted,
        required: required.filter((column) => !provided.includes(column)),
      }
      const conversion = planTable({ name, columns: archivedColumns, schemaVersion: schema_version }, target)
      if ('problem' in conversion) throw conflict('conflict', `${conversion.problem} Nothing was imported.`)
      if ('isSkipped' in conversion) skipped[name] = rows
      return 'plan' in conversion ? conversion.plan : undefined
    }
    const readable = columns.length ? plan(columns, known ?? [], hashes) : undefined
    const opened =
      isOwnArchive && sealedColumns.length
        ? plan([...columns, ...sealedColumns], [...(known ?? []), ...(sealed.get(name) ?? [])], [])
        : undefined
    if (readable || opened) plans.set(name, { table: name, hashes, readable, opened })
  }
  return { plans, skipped }
}

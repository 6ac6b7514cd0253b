import { readSettings } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { listFieldsOf } from '../../records/custom-values/field-definitions.queries.ts'
import { toFileWarnings } from '../import-mapping/file-facts.rules.ts'
import type {
  ImportQuery,
  ImportRow,
  ImportRowQuery,
  ListedImport,
  RecordImport,
} from '../import-mapping/import.schemas.ts'
import { type ImportedType, listImportFields } from '../import-mapping/import-fields.rules.ts'
import { listMappedColumns, listUserTexts } from '../import-mapping/mapped-columns.rules.ts'
import { findUsersByText } from '../import-mapping/match-rows.service.ts'
import { type Suggestion, suggestMapping, suggestReadableMapping } from '../import-mapping/suggest-mapping.rules.ts'
import { listCheckedRows, listRowPage, listSampleRows } from '../import-records/import-rows.queries.ts'
import { findImport, type ImportRecord, listImportRows, lockImport } from '../import-records/imports.queries.ts'
import { toListedImport } from '../import-records/imports.rules.ts'

const isManager = ({ role }: UserActor): boolean => role === 'manager' || role === 'admin'

/** An import is visible to its creator, managers and admins. */
function requireVisible(row: ImportRecord | undefined, actor: UserActor, objectType: ImportedType): ImportRecord {
  const isVisible = row && row.object_type === objectType && row.state !== 'uploading'
  if (!isVisible || (row.created_by !== actor.userId && !isManager(actor))) throw notFound('import')
  return row
}

export const getVisibleImport = async (tx: TenantTx, actor: UserActor, objectType: ImportedType, id: string) =>
  requireVisible(await findImport(tx, id), actor, objectType)

export const lockVisibleImport = async (tx: TenantTx, actor: UserActor, objectType: ImportedType, id: string) =>
  requireVisible(await lockImport(tx, id), actor, objectType)

export async function listImports(
  tx: TenantTx,
  actor: UserActor,
  objectType: ImportedType,
  query: ImportQuery,
): Promise<Page<ListedImport>> {
  const createdBy = isManager(actor) ? null : actor.userId
  const { items, ...page } = await listImportRows(tx, { objectType, createdBy }, query)
  return { ...page, items: items.map(toListedImport) }
}

export async function getImport(tx: TenantTx, actor: UserActor, objectType: ImportedType, id: string) {
  return await getImportDetails(tx, await getVisibleImport(tx, actor, objectType, id))
}

export async function getImportDetails(tx: TenantTx, row: ImportRecord): Promise<RecordImport> {
  const { mapping, values, ambiguousDates } = await suggestForImport(tx, row)
  return {
    ...toListedImport(row),
    columns: row.columns,
    sample_rows: await listSampleRows(tx, row.id),
    suggested_mapping: mapping,
    column_values: values,
    file_warnings: toFileWarnings(row, ambiguousDates),
    mapping: row.mapping,
    options: row.options,
  }
}

async function suggestForImport(tx: TenantTx, row: ImportRecord): Promise<Suggestion> {
  const { columns, delimiter, file_facts: facts } = row
  const fields = listImportFields(row.object_type, await listFieldsOf(tx, row.object_type))
  const rows = await listCheckedRows(tx, row.id)
  const named = listMappedColumns({ columns, mapping: suggestMapping(columns, fields), fields })
  const users = await findUsersByText(tx, listUserTexts(named, rows))
  const { currency, timezone } = await readSettings(tx, 'general')
  return suggestReadableMapping({ columns, fields, rows, facts, delimiter, context: { currency, timezone, users } })
}

export async function listImportedRows(
  tx: TenantTx,
  actor: UserActor,
  objectType: ImportedType,
  id: string,
  query: ImportRowQuery,
): Promise<Page<ImportRow>> {
  const row = await getVisibleImport(tx, actor, objectType, id)
  const { items, ...page } = await listRowPage(tx, row, query)
  return {
    ...page,
    items: items.map((item) => ({ ...item, errors: item.errors ?? [], warnings: item.warnings ?? [] })),
  }
}

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { Type } from 'typebox'
import { type Database, decodeCursor, directionOf, type TenantTx, toPage, totalOf } from '#platform/db'
import { Id, type PageQuery } from '#platform/schema'
import type { FileFacts } from '../import-mapping/file-facts.rules.ts'
import type { ColumnMapping, ImportOptions } from '../import-mapping/import.schemas.ts'
import type { ImportedType } from '../import-mapping/import-fields.rules.ts'

type Imports = Database['crm.imports']

const columns = [
  'id',
  'object_type',
  'file_id',
  'filename',
  'state',
  'encoding',
  'delimiter',
  'columns',
  'mapping',
  'options',
  'row_count',
  'run_no',
  'done_rows',
  'created_count',
  'updated_count',
  'skipped_count',
  'failed_count',
  'warning_count',
  'undone_count',
  'kept_count',
  'checked',
  'failure',
  'task_id',
  'created_by',
  'created_at',
  'started_at',
  'finished_at',
  'file_facts',
  'state_before_undo',
] as const

export type ImportState =
  | 'uploading'
  | 'uploaded'
  | 'mapped'
  | 'checking'
  | 'running'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'undoing'
  | 'undone'

export type CheckedCounts = {
  created: number
  updated: number
  skipped: number
  failed: number
  warnings: number
  finished_at: string
}

type JsonColumns = {
  object_type: ImportedType
  state: ImportState
  state_before_undo: ImportState | null
  columns: string[]
  mapping: ColumnMapping[] | null
  options: ImportOptions | null
  file_facts: FileFacts
  checked: CheckedCounts | null
  failure: { code: string; message: string } | null
}
export type ImportRecord = Omit<Pick<Selectable<Imports>, (typeof columns)[number]>, keyof JsonColumns> & JsonColumns

const toImport = (row: unknown) => row as ImportRecord | undefined

export async function insertImport(tx: TenantTx, row: Insertable<Imports>): Promise<void> {
  await tx.insertInto('crm.imports').values(row).execute()
}

const selectImport = (tx: TenantTx, id: string) => tx.selectFrom('crm.imports').select(columns).where('id', '=', id)

export const findImport = async (tx: TenantTx, id: string): Promise<ImportRecord | undefined> =>
  toImport(await selectImport(tx, id).executeTakeFirst())

export const lockImport = async (tx: TenantTx, id: string): Promise<ImportRecord | undefined> =>
  toImport(await selectImport(tx, id).forNoKeyUpdate().executeTakeFirst())

export async function updateImportRow(tx: TenantTx, id: string, fields: Updateable<Imports>): Promise<ImportRecord> {
  const row = await tx
    .updateTable('crm.imports')
    .set(fields)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toImport(row)!
}

export async function updateImportInState(
  tx: TenantTx,
  id: string,
  states: readonly ImportState[],
  fields: Updateable<Imports>,
): Promise<ImportRecord | undefined> {
  const row = await tx
    .updateTable('crm.imports')
    .set(fields)
    .where('id', '=', id)
    .where('state', '=', sql<string>`any(${states}::text[])`)
    .returning(columns)
    .executeTakeFirst()
  return toImport(row)
}

export const findImportOfTask = async (tx: TenantTx, taskId: string): Promise<ImportRecord | undefined> =>
  toImport(await tx.selectFrom('crm.imports').select(columns).where('task_id', '=', taskId).executeTakeFirst())

export async function deleteImportRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('crm.imports').where('id', '=', id).execute()
}

const SortKey = Type.Tuple([Id])

/** Newest first. With `createdBy`, only those of the user. */
export async function listImportRows(
  tx: TenantTx,
  { objectType, createdBy }: { objectType: ImportedType; createdBy: string | null },
  page: PageQuery,
) {
  const order = directionOf(undefined, '-id')
  let imports = tx.selectFrom('crm.imports').where('object_type', '=', objectType).where('state', '<>', 'uploading')
  if (createdBy) imports = imports.where('created_by', '=', createdBy)
  let query = imports
    .select(columns)
    .orderBy('id', order.direction)
    .limit(page.limit + 1)
  if (page.cursor) query = query.where('id', order.after, decodeCursor(page.cursor, SortKey, order)[0])
  else query = query.offset(page.offset)
  const total = await totalOf(tx, imports, page)
  const rows = (await query.execute()) as unknown as ImportRecord[]
  return toPage(rows, total, page, ({ id }) => [id], order)
}

/** Imports whose task has ended or does not exist, and uploads that were interrupted. */
export async function listAbandonedImports(tx: TenantTx, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select import.id from crm.imports import
    where import.state in ('uploading', 'checking', 'running', 'undoing') and import.created_at < ${before}::timestamptz
      and not exists (select from platform.background_tasks task
        where task.id = import.task_id and task.state in ('queued', 'running'))
    order by import.id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

import { type Expression, type Insertable, type Selectable, sql } from 'kysely'
import { acquireAdvisoryLock, type Database, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import type { RuleInput } from '#platform/rules'
import { accountColumns } from '../../people/accounts/accounts.queries.ts'
import { contactColumns } from '../../people/contacts/contacts.queries.ts'
import { listedLeadColumns } from '../../people/lead-records/leads.queries.ts'
import { recordTables } from '../../records/custom-values/custom-values.queries.ts'
import type { FileObjectType } from '../record-columns/record-columns.rules.ts'

type Exports = Database['crm.exports']

const columns = [
  'id',
  'object_type',
  'format',
  'columns',
  'filter',
  'query',
  'state',
  'row_count',
  'task_id',
  'file_id',
  'created_by',
  'created_at',
  'expires_at',
] as const
export type ExportRow = Omit<
  Pick<Selectable<Exports>, (typeof columns)[number]>,
  'object_type' | 'format' | 'filter' | 'query'
> & {
  object_type: FileObjectType
  format: 'csv' | 'jsonl'
  filter: RuleInput | null
  query: object | null
}

export async function insertExport(tx: TenantTx, row: Insertable<Exports>): Promise<void> {
  await tx.insertInto('crm.exports').values(row).execute()
}

export async function getExportRow(tx: TenantTx, objectType: FileObjectType, id: string): Promise<ExportRow> {
  const found = await findExport(tx, id)
  if (found?.object_type !== objectType) throw notFound('export')
  return found
}

export async function findExport(tx: TenantTx, id: string): Promise<ExportRow | undefined> {
  const row = await tx.selectFrom('crm.exports').select(columns).where('id', '=', id).executeTakeFirst()
  return row as ExportRow | undefined
}

export const lockExportsOfUser = (tx: TenantTx, userId: string): Promise<void> =>
  acquireAdvisoryLock(tx, `exports:${userId}`)

/** Newest first. */
export async function listExportTimes(tx: TenantTx, userId: string, since: Date, limit: number): Promise<Date[]> {
  const rows = await tx
    .selectFrom('crm.exports')
    .select('created_at')
    .where('created_by', '=', userId)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ created_at }) => created_at)
}

type FinishedExport = { file_id: string; row_count: number; expires_at: Date }

/** Returns false if the export ended in the meantime. */
export async function completeExport(tx: TenantTx, id: string, finished: FinishedExport): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('crm.exports')
    .set({ ...finished, state: 'completed' })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function failExportOfTask(tx: TenantTx, taskId: string): Promise<void> {
  await tx
    .updateTable('crm.exports')
    .set({ state: 'failed' })
    .where('task_id', '=', taskId)
    .where('state', '=', 'running')
    .execute()
}

/** Exports that have a file, will have one, or have filters. */
export const lockUnexpiredExports = (tx: TenantTx, now: Date): Promise<{ id: string; file_id: string | null }[]> =>
  tx
    .selectFrom('crm.exports')
    .select(['id', 'file_id'])
    .where((eb) =>
      eb.or([
        eb('expires_at', '>', now),
        eb('filter', 'is not', null),
        eb('query', 'is not', null),
        eb('file_id', 'is not', null),
      ]),
    )
    .orderBy('id')
    .forUpdate()
    .execute()

export async function expireExports(tx: TenantTx, ids: readonly string[], now: Date): Promise<void> {
  await tx
    .updateTable('crm.exports')
    .set({
      file_id: null,
      filter: null,
      query: null,
      expires_at: now,
      state: sql<string>`case state when 'running' then 'failed' else state end`,
    })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

export type ExportedRow = Readonly<Record<string, unknown>> & {
  owner_id: string | null
  annual_revenue_minor?: number | null
  annual_revenue_currency?: string | null
}

const ofAccount = ['account_id', 'account_name']
const rowColumns: Record<FileObjectType, readonly string[]> = {
  lead: listedLeadColumns,
  contact: contactColumns.filter((column) => !ofAccount.includes(column)),
  account: accountColumns,
}
/** A deleted account of a contact is left out, as in the API. */
const accountOfContact = {
  columns: sql`, account.id as account_id, account.name as account_name, account.domain as account_domain`,
  join: sql`left join crm.accounts account on account.id = record.account_id and account.deleted_at is null`,
}

/** In the order of the ids, so that the file of unchanged records is the same. */
export function selectExportedRecords(objectType: FileObjectType, matching: readonly Expression<{ id: string }>[]) {
  const account = objectType === 'contact' ? accountOfContact : { columns: sql``, join: sql`` }
  return sql<ExportedRow>`
    select ${sql.join(rowColumns[objectType].map((column) => sql.ref(`record.${column}`)))} ${account.columns}
    from ${sql.table(recordTables[objectType])} record ${account.join}
    where ${sql.join([sql`record.deleted_at is null`, ...matching.map((ids) => sql`record.id in (${ids})`)], sql` and `)}
    order by record.id`
}

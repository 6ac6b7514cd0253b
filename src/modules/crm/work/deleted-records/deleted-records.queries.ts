import { type SqlBool, sql } from 'kysely'
import { type Condition, type Page, readPage, type SortOrders, sortOrderOf, type TenantTx } from '#platform/db'
import type { DeletedRecordQuery, DeletedType } from './deleted-records.schemas.ts'

type NameColumn = 'name' | 'email' | 'phone' | 'company' | 'account_name' | 'account_id'

export type DeletedRow = { id: string; deleted_at: Date; deleted_by: string | null } & Partial<
  Record<NameColumn, string | null>
>

const tables: Record<DeletedType, { table: string; columns: readonly NameColumn[]; isMerged?: true }> = {
  lead: { table: 'crm.leads', columns: ['name', 'email', 'phone', 'company'], isMerged: true },
  contact: { table: 'crm.contacts', columns: ['name', 'email', 'phone', 'account_name'], isMerged: true },
  account: { table: 'crm.accounts', columns: ['name'] },
  opportunity: { table: 'crm.opportunities', columns: ['name', 'account_id'] },
}

const orders: SortOrders = { deleted_at: { by: { deleted_at: 'timestamp' } } }

type DeletedFilter = { type: DeletedType; since: Date; deletedBy?: string }

/** Merged records are not listed, because undoing the merge restores them. */
export function listDeletedRows(
  tx: TenantTx,
  { type, since, deletedBy }: DeletedFilter,
  page: DeletedRecordQuery,
): Promise<Page<DeletedRow>> {
  const { table, columns, isMerged } = tables[type]
  const conditions: Condition[] = [sql<SqlBool>`deleted_at is not null and deleted_at > ${since}::timestamptz`]
  if (deletedBy) conditions.push(sql<SqlBool>`deleted_by = ${deletedBy}::uuid`)
  if (isMerged) conditions.push(sql<SqlBool>`merged_into_id is null`)
  const plan = {
    table,
    columns: ['id', 'deleted_at', 'deleted_by', ...columns],
    order: sortOrderOf(orders, '-deleted_at'),
    scans: [{ conditions }],
    filters: { type, deletedBy },
  }
  return readPage<DeletedRow>(tx, plan, page)
}

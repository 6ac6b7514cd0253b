import { type SqlBool, sql } from 'kysely'
import type { Page, TenantTx } from '#platform/db'
import type { SortedPageQuery } from '#platform/schema'
import { type Condition, readPage } from '../lists/keyset-page.queries.ts'
import { type SortOrders, sortOrderOf } from '../lists/sort-order.rules.ts'
import { type ActivityRow, activityColumns } from './activities.queries.ts'

type OpenTaskFilter = { assigneeId: string; due_before?: string }

const orders: SortOrders = { due_at: { by: { due_at: 'timestamp' }, isNullable: true } }

/** Tasks of deleted records are hidden until the record is restored. */
const hasDeletedRecord = (column: string, table: string): Condition =>
  sql<SqlBool>`exists (select from ${sql.table(table)} record where record.id = ${sql.ref(`crm.activities.${column}`)} and record.deleted_at is not null)`

const isShown = sql<SqlBool>`not ${hasDeletedRecord('lead_id', 'crm.leads')} and not ${hasDeletedRecord('contact_id', 'crm.contacts')}
  and not ${hasDeletedRecord('account_id', 'crm.accounts')} and not ${hasDeletedRecord('opportunity_id', 'crm.opportunities')}`

export function listOpenTaskRows(
  tx: TenantTx,
  { assigneeId, due_before, sort = 'due_at', ...page }: OpenTaskFilter & SortedPageQuery,
): Promise<Page<ActivityRow>> {
  const conditions: Condition[] = [
    sql<SqlBool>`type = 'task' and completed_at is null`,
    sql<SqlBool>`assignee_id = ${assigneeId}::uuid`,
    isShown,
  ]
  if (due_before) conditions.push(sql<SqlBool>`due_at < ${due_before}::timestamptz`)
  const plan = {
    table: 'crm.activities',
    columns: activityColumns,
    order: sortOrderOf(orders, sort),
    scans: [{ conditions }],
    filters: { assigneeId, due_before },
  }
  return readPage<ActivityRow>(tx, plan, page)
}

import { type SqlBool, sql } from 'kysely'
import { allOf, type Condition, type Page, readPage, type SortOrders, sortOrderOf, type TenantTx } from '#platform/db'
import type { SortedPageQuery } from '#platform/schema'
import { type ActivityRow, activityColumns } from './activities.queries.ts'

type OpenTaskFilter = { assigneeId: string; due_before?: string }

const orders: SortOrders = { due_at: { by: { due_at: 'timestamp' }, isNullable: true } }

/** Tasks of deleted records are hidden until the record is restored. */
const hasDeletedRecord = (column: string, table: string): Condition =>
  sql<SqlBool>`exists (select from ${sql.table(table)} record where record.id = ${sql.ref(`crm.activities.${column}`)} and record.deleted_at is not null)`

const isShown = sql<SqlBool>`not ${hasDeletedRecord('lead_id', 'crm.leads')} and not ${hasDeletedRecord('contact_id', 'crm.contacts')}
  and not ${hasDeletedRecord('account_id', 'crm.accounts')} and not ${hasDeletedRecord('opportunity_id', 'crm.opportunities')}`

const isOpenTaskOf = (assigneeId: string): Condition[] => [
  sql<SqlBool>`type = 'task' and completed_at is null`,
  sql<SqlBool>`assignee_id = ${assigneeId}::uuid`,
  isShown,
]

export function listOpenTaskRows(
  tx: TenantTx,
  { assigneeId, due_before, sort = 'due_at', ...page }: OpenTaskFilter & SortedPageQuery,
): Promise<Page<ActivityRow>> {
  const conditions = isOpenTaskOf(assigneeId)
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

const maxDueTasks = 100

type DueTasks = { overdue: number; due_today: number }

/** Counts the tasks that were due before `now`, and those that are due from then until `endOfDay`; at most 100 of each. */
export async function countDueTasks(
  tx: TenantTx,
  { assigneeId, now, endOfDay }: { assigneeId: string; now: Date; endOfDay: string },
): Promise<DueTasks> {
  const countOf = (due: Condition) => sql`(
    select count(*) from (
      select 1 from crm.activities where ${allOf([...isOpenTaskOf(assigneeId), due])} limit ${sql.lit(maxDueTasks)}
    ) as due)`
  const counts = sql<DueTasks>`(
    select ${countOf(sql`due_at < ${now}::timestamptz`)} as overdue,
      ${countOf(sql`due_at >= ${now}::timestamptz and due_at < ${endOfDay}::timestamptz`)} as due_today)`
  return await tx.selectFrom(counts.as('counts')).select(['overdue', 'due_today']).executeTakeFirstOrThrow()
}

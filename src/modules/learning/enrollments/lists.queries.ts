import { sql } from 'kysely'
import { type Condition, type Page, readPage, type SortOrders, sortOrderOf, type TenantTx } from '#platform/db'
import { currentCycles } from '../cycles/current-cycles.queries.ts'
import { type EnrollmentRow, enrollmentColumns } from '../records/enrollment-row.ts'
import type { OwnEnrollmentQuery, PathEnrollmentQuery } from './enrollments.schemas.ts'

const table = 'enablement.learning_enrollments'
const column = (name: string) => sql.ref(`${table}.${name}`)

const orders: SortOrders = {
  due_on: { by: { list_order: 'integer' } },
  created_at: { by: { created_at: 'timestamp' } },
}

/** Open enrollments by due date, then the others, newest first. */
export async function listOwnEnrollmentRows(
  tx: TenantTx,
  userId: string,
  { limit, offset, cursor, count, status, sort = 'due_on' }: OwnEnrollmentQuery,
): Promise<Page<EnrollmentRow>> {
  const conditions: Condition[] = [sql`${column('user_id')} = ${userId}::uuid`]
  if (status) conditions.push(sql`${column('status')} = any (${status}::text[])`)
  const plan = {
    table,
    columns: enrollmentColumns,
    order: sortOrderOf(orders, sort),
    scans: [{ conditions }],
    filters: { status },
  }
  return await readPage<EnrollmentRow>(tx, plan, { limit, offset, cursor, count })
}

/** Learners whose enrollments the caller may list; null: all. */
export type Learners = readonly string[] | null

type PathScope = { pathId: string; learners: Learners; now: Date; today: string }

/** Statuses are one index scan each, unless the list is sorted by due date. */
export async function listPathEnrollmentRows(
  tx: TenantTx,
  { pathId, learners, today }: PathScope,
  { limit, offset, cursor, count, status, overdue, team_id, sort = '-created_at' }: PathEnrollmentQuery,
): Promise<Page<EnrollmentRow>> {
  const conditions: Condition[] = [sql`${column('path_id')} = ${pathId}::uuid`]
  if (learners) conditions.push(sql`${column('user_id')} = any (${learners}::uuid[])`)
  if (overdue)
    conditions.push(sql`${column('status')} in ('not_started', 'in_progress') and ${column('due_on')} < ${today}::date`)
  const scans =
    status && sort !== 'due_on'
      ? [...new Set(status)].map((value) => ({
          conditions: [...conditions, sql<boolean>`${column('status')} = ${value}`],
        }))
      : [
          {
            conditions: status
              ? [...conditions, sql<boolean>`${column('status')} = any (${status}::text[])`]
              : conditions,
          },
        ]
  const plan = {
    table,
    columns: enrollmentColumns,
    order: sortOrderOf(orders, sort),
    scans,
    filters: { path: pathId, status, overdue, team_id, sort },
  }
  return await readPage<EnrollmentRow>(tx, plan, { limit, offset, cursor, count })
}

export type PathSummary = {
  total: number
  completed: number
  in_progress: number
  overdue: number
  average_score: number | null
}

export async function countPathEnrollments(
  tx: TenantTx,
  { pathId, learners, now, today }: PathScope,
): Promise<PathSummary> {
  const where = sql`path_id = ${pathId}::uuid and (${learners}::uuid[] is null or user_id = any (${learners}::uuid[]))`
  const { rows } = await sql<PathSummary>`
    select count(*)::int as total, count(*) filter (where status = 'completed')::int as completed,
      count(*) filter (where status = 'in_progress')::int as in_progress,
      count(*) filter (where status in ('not_started', 'in_progress') and due_on < ${today}::date)::int as overdue,
      round(avg(score) filter (where status = 'completed'), 2)::float8 as average_score
    from (${currentCycles({ where, now })}) as current
  `.execute(tx)
  return rows[0]!
}

import { sql } from 'kysely'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import {
  type Condition,
  type Page,
  readPage,
  type SortOrders,
  sortOrderOf,
  type TenantTx,
  toLikePatterns,
} from '#platform/db'
import type { EnrollmentStatus } from '../records/learning.schemas.ts'
import { type PathRow, pathColumns } from '../records/path-row.ts'
import type { PathQuery } from './paths.schemas.ts'

const orders: SortOrders = { created_at: { by: { created_at: 'timestamp' } } }
const column = (name: string) => sql.ref(`enablement.learning_paths.${name}`)

/** Same condition as `canSeePath`. */
export async function listPathRows(
  tx: TenantTx,
  { role, userId }: UserActor,
  teamIds: readonly string[],
  { limit, offset, cursor, count, sort = '-created_at', search, type, status = 'published' }: PathQuery,
): Promise<Page<PathRow>> {
  const conditions: Condition[] = [sql`${column('status')} = ${status}`, sql`${column('deleted_at')} is null`]
  if (type) conditions.push(sql`${column('type')} = ${type}`)
  if (search) conditions.push(sql`${column('search_text')} like all (${toLikePatterns(search)}::text[])`)
  if (!isManagerOrAdmin(role))
    conditions.push(
      status === 'published'
        ? sql`(${column('owner_id')} = ${userId}::uuid or ${column('audience_team_ids')} is null
            or ${column('audience_team_ids')} && ${teamIds}::uuid[])`
        : sql`${column('owner_id')} = ${userId}::uuid`,
    )
  const plan = {
    table: 'enablement.learning_paths',
    columns: pathColumns,
    order: sortOrderOf(orders, sort),
    scans: [{ conditions }],
    filters: { search, type, status },
  }
  return await readPage<PathRow>(tx, plan, { limit, offset, cursor, count })
}

export type ModuleTotals = { path_id: string; modules: number; minutes: number }

export const listModuleTotals = (tx: TenantTx, pathIds: readonly string[]): Promise<ModuleTotals[]> =>
  tx
    .selectFrom('enablement.learning_modules')
    .select([
      'path_id',
      sql<number>`count(*)::int`.as('modules'),
      sql<number>`sum(estimated_minutes)::int`.as('minutes'),
    ])
    .where('path_id', '=', sql<string>`any(${pathIds}::uuid[])`)
    .where('removed_at', 'is', null)
    .groupBy('path_id')
    .execute()

export type OwnEnrollment = {
  id: string
  path_id: string
  status: EnrollmentStatus
  progress_rate: number
  due_on: string | null
}

export async function listOwnEnrollments(
  tx: TenantTx,
  userId: string,
  pathIds: readonly string[],
): Promise<OwnEnrollment[]> {
  const { rows } = await sql<OwnEnrollment>`
    select distinct on (path_id) id, path_id, status, progress_rate::float8 as progress_rate, due_on
    from enablement.learning_enrollments
    where path_id = any (${pathIds}::uuid[]) and user_id = ${userId}::uuid order by path_id, cycle desc
  `.execute(tx)
  return rows
}

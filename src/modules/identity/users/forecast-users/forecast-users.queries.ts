import { sql } from 'kysely'
import { directionOf, type Page, type TenantTx, toPage, totalOf } from '#platform/db'
import type { SortedPageQuery } from '#platform/schema'
import { isAfterCursor } from '../users/list-users.queries.ts'
import type { ForecastUserRow } from './forecast-users.rules.ts'

export async function listForecastUserRows(
  tx: TenantTx,
  { sort, ...page }: SortedPageQuery,
): Promise<Page<ForecastUserRow>> {
  const order = directionOf(sort, 'name')
  const users = tx
    .selectFrom('identity.users')
    .where('status', '=', sql.lit('active'))
    .where(sql<boolean>`forecast_participant`)

  let rows = users
    .select(['id', 'name', 'name_key', 'email', 'role', 'title', 'avatar_url', 'manager_id', 'quarterly_quota_minor'])
    .orderBy('name_key', order.direction)
    .orderBy('id', order.direction)
    .limit(page.limit + 1)
  if (page.cursor) rows = rows.where(isAfterCursor(page.cursor, order))
  else rows = rows.offset(page.offset)

  return toPage(await rows.execute(), await totalOf(tx, users, page), page, ({ name_key, id }) => [name_key, id], order)
}

/** Returns the quarterly quota in minor units of the base currency. */
export async function findQuota(tx: TenantTx, userId: string): Promise<number | null> {
  const user = await tx
    .selectFrom('identity.users')
    .select('quarterly_quota_minor')
    .where('id', '=', userId)
    .executeTakeFirst()
  return user?.quarterly_quota_minor ?? null
}

export async function findFirstTeams(
  tx: TenantTx,
  userIds: string[],
): Promise<Map<string, { id: string; name: string }>> {
  const rows = await tx
    .selectFrom('identity.team_members as m')
    .innerJoin('identity.teams as t', 't.id', 'm.team_id')
    .distinctOn('m.user_id')
    .select(['m.user_id', 't.id', 't.name'])
    .where('m.user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .orderBy('m.user_id')
    .orderBy('m.created_at')
    .orderBy('m.id')
    .execute()
  return new Map(rows.map(({ user_id, id, name }) => [user_id, { id, name }]))
}

import { type ExpressionBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { UserActor } from '#platform/access'
import {
  type Database,
  decodeCursor,
  directionOf,
  type ListDirection,
  type Page,
  type TenantTx,
  toPage,
  toSearchWords,
  totalOf,
} from '#platform/db'
import { Id } from '#platform/schema'
import { currencyForQuotas, selectUserDetails, userListColumns } from '../../workspace/user-records/users.queries.ts'
import { canSeePrivateFields, toUser } from '../../workspace/user-records/users.rules.ts'
import type { User, UserFilter } from '../../workspace/user-records/users.schemas.ts'

type UsersBuilder = ExpressionBuilder<Database, 'identity.users'>

/** One more than the highest total, so that a capped count is detectable. */
const maxSearchHits = 10_001
export const UserSortKey = Type.Tuple([Type.String(), Id])

export async function listUsers(
  tx: TenantTx,
  viewer: UserActor,
  { limit, ...filter }: UserFilter,
): Promise<Page<User>> {
  const order = directionOf(filter.sort, 'name')
  const page = { limit, offset: filter.offset, cursor: filter.cursor, count: filter.count }
  const users = matchingUsers(tx, filter)

  let pageQuery = users
    .select(userListColumns)
    .orderBy('name_key', order.direction)
    .orderBy('id', order.direction)
    .limit(limit + 1)
  if (page.cursor) pageQuery = pageQuery.where(isAfterCursor(page.cursor, order))
  else pageQuery = pageQuery.offset(page.offset)

  const rows = await selectUserDetails(tx, pageQuery)
    .orderBy('u.name_key', order.direction)
    .orderBy('u.id', order.direction)
    .execute()
  const currency = await currencyForQuotas(tx, rows)
  const { items, ...rest } = toPage(
    rows,
    await totalOf(tx, users, page),
    page,
    ({ name_key, id }) => [name_key, id],
    order,
  )
  return { items: items.map((row) => toUser(row, canSeePrivateFields(viewer, row.id), currency)), ...rest }
}

function matchingUsers(tx: TenantTx, { search, role, status, team_id, manager_id }: Omit<UserFilter, 'limit'>) {
  const words = search ? toSearchWords(search) : []
  let users = tx.selectFrom('identity.users')
  if (words.length) users = users.where('id', '=', idsMatchingSearch(words))
  if (role) users = users.where((eb) => isOneOf(eb, 'role', role))
  if (status) users = users.where((eb) => isOneOf(eb, 'status', status))
  else users = users.where('status', '<>', 'erased')
  if (team_id) users = users.where('id', '=', memberIdsOf(team_id))
  if (manager_id) users = users.where('manager_id', '=', manager_id)
  return users
}

/** `any(array(…))` uses the primary key; `in (select …)` would scan the whole tenant and join. */
const idsMatchingSearch = (words: string[]) =>
  sql<string>`any(array(select identity.search_users(${words}::text[], ${maxSearchHits})))`

const memberIdsOf = (teamId: string) =>
  sql<string>`any(array(select user_id from identity.team_members where team_id = ${teamId}))`

/** Uses equality for a single value, because the index then also provides the sort order. */
const isOneOf = (eb: UsersBuilder, column: 'role' | 'status', values: string[]) =>
  values.length === 1 ? eb(column, '=', values[0]!) : eb(column, '=', sql<string>`any(${values}::text[])`)

/** A row comparison is one index range, so deep pages cost the same as the first. */
export const isAfterCursor = (cursor: string, order: ListDirection) => (eb: UsersBuilder) =>
  eb(eb.refTuple('name_key', 'id'), order.after, eb.tuple(...decodeCursor(cursor, UserSortKey, order)))

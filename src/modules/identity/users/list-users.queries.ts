import { type ExpressionBuilder, sql } from 'kysely'
import { Type } from 'typebox'
import type { SignedIn } from '#platform/access'
import { afterCursor, type Database, type Page, searchWords, type TenantTx, toPage, totalOf } from '#platform/db'
import { Id } from '#platform/schema'
import { currencyFor, describeUsers, listedColumns } from './users.queries.ts'
import { toUser } from './users.rules.ts'
import type { User, UserFilter } from './users.schemas.ts'

type Users = ExpressionBuilder<Database, 'identity.users'>

/** One more than is counted, so that a count that stops early is known to. */
const maxSearchHits = 10_001
export const UserSortKey = Type.Tuple([Type.String(), Id])

export async function listUsers(tx: TenantTx, viewer: SignedIn, { limit, ...filter }: UserFilter): Promise<Page<User>> {
  const page = { limit, offset: filter.offset, cursor: filter.cursor, count: filter.count }
  const users = matchingUsers(tx, filter)

  let picked = users
    .select(listedColumns)
    .orderBy('name_key')
    .orderBy('id')
    .limit(limit + 1)
  if (page.cursor) picked = picked.where(isAfter(page.cursor))
  else picked = picked.offset(page.offset)

  const rows = await describeUsers(tx, picked).orderBy('u.name_key').orderBy('u.id').execute()
  const currency = await currencyFor(tx, rows)
  const { items, ...rest } = toPage(rows, await totalOf(tx, users, page), page, ({ name_key, id }) => [name_key, id])
  return { items: items.map((row) => toUser(row, viewer, currency)), ...rest }
}

function matchingUsers(tx: TenantTx, { search, role, status, team_id, manager_id }: Omit<UserFilter, 'limit'>) {
  const words = search ? searchWords(search) : []
  let users = tx.selectFrom('identity.users')
  if (words.length) users = users.where('id', '=', found(words))
  if (role) users = users.where((eb) => isOneOf(eb, 'role', role))
  if (status) users = users.where((eb) => isOneOf(eb, 'status', status))
  else users = users.where('status', '<>', 'erased')
  if (team_id) users = users.where('id', '=', membersOf(team_id))
  if (manager_id) users = users.where('manager_id', '=', manager_id)
  return users
}

/** As an array the ids are looked up in the index; `in (select …)` would read the whole tenant and join. */
const found = (words: string[]) =>
  sql<string>`any(array(select identity.search_users(${words}::text[], ${maxSearchHits})))`

const membersOf = (teamId: string) =>
  sql<string>`any(array(select user_id from identity.team_members where team_id = ${teamId}))`

/** For one value the index also gives the order; for several the rows are sorted. */
const isOneOf = (eb: Users, column: 'role' | 'status', values: string[]) =>
  values.length === 1 ? eb(column, '=', values[0]!) : eb(column, '=', sql<string>`any(${values}::text[])`)

/** Compared as a row, the key is one range of the index, however deep the page lies. */
export const isAfter = (cursor: string) => (eb: Users) =>
  eb(eb.refTuple('name_key', 'id'), '>', eb.tuple(...afterCursor(cursor, UserSortKey)))

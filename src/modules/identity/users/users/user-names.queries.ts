import { sql } from 'kysely'
import type { Role } from '#platform/access'
import { compileOnce, type TenantTx } from '#platform/db'

export async function findUserNames(tx: TenantTx, ids: Iterable<string>): Promise<Map<string, string>> {
  const uniqueIds = [...new Set(ids)]
  if (!uniqueIds.length) return new Map()
  const users = await selectUserNames(tx, { ids: uniqueIds })
  return new Map(users.map(({ id, name }) => [id, name]))
}

const selectUserNames = compileOnce((tx: TenantTx, { ids }: { ids: readonly string[] }) =>
  tx.selectFrom('identity.users').select(['id', 'name']).where('id', '=', sql<string>`any(${ids}::uuid[])`),
)

export async function filterActiveUserIds(tx: TenantTx, ids: Iterable<string>): Promise<Set<string>> {
  const uniqueIds = [...new Set(ids)]
  if (!uniqueIds.length) return new Set()
  const users = await tx
    .selectFrom('identity.users')
    .select('id')
    .where('id', '=', sql<string>`any(${uniqueIds}::uuid[])`)
    .where('status', '=', 'active')
    .execute()
  return new Set(users.map(({ id }) => id))
}

export type UserCard = { id: string; name: string; title: string | null; role: Role; status: string }

export async function findUserCards(tx: TenantTx, ids: Iterable<string>): Promise<Map<string, UserCard>> {
  const uniqueIds = [...new Set(ids)]
  if (!uniqueIds.length) return new Map()
  const users = await selectUserCards(tx, { ids: uniqueIds })
  return new Map(users.map((user) => [user.id, user as UserCard]))
}

const selectUserCards = compileOnce((tx: TenantTx, { ids }: { ids: readonly string[] }) =>
  tx
    .selectFrom('identity.users')
    .select(['id', 'name', 'title', 'role', 'status'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`),
)

/** Returns what a workspace shows about a user to other people. */
export function findUserProfile(tx: TenantTx, id: string) {
  return tx
    .selectFrom('identity.users')
    .select(['id', 'name', 'title', 'avatar_url', 'email', 'status'])
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function findUserEmails(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const users = await tx
    .selectFrom('identity.users')
    .select(['id', 'email'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('status', '=', 'active')
    .execute()
  return new Map(users.map(({ id, email }) => [id, email]))
}

export async function isUserEmail(tx: TenantTx, email: string): Promise<boolean> {
  const user = await tx
    .selectFrom('identity.users')
    .select('id')
    .where('email_key', '=', email.toLowerCase())
    .executeTakeFirst()
  return user !== undefined
}

/** Active users without those of the roles, by id. */
export async function listActiveUserCards(
  tx: TenantTx,
  { withoutRoles, after, limit }: { withoutRoles: readonly string[]; after: string; limit: number },
): Promise<UserCard[]> {
  const users = await tx
    .selectFrom('identity.users')
    .select(['id', 'name', 'title', 'role', 'status'])
    .where('status', '=', 'active')
    .where('id', '>', after)
    .where('role', '<>', sql<string>`all(${withoutRoles}::text[])`)
    .orderBy('id')
    .limit(limit)
    .execute()
  return users as UserCard[]
}

/** Active users with an email address or a name, both in lower case; two of a text show that it is not unique. */
export async function listUserIdsByText(
  tx: TenantTx,
  texts: readonly string[],
): Promise<{ text: string; id: string }[]> {
  if (!texts.length) return []
  const { rows } = await sql<{ text: string; id: string }>`
    select distinct wanted.text, found.id from unnest(${texts}::text[]) as wanted (text)
    cross join lateral (
      (select id from identity.users where email_key = wanted.text and status = 'active')
      union all
      (select id from identity.users where name_key = wanted.text and status = 'active' limit 2)
    ) as found
  `.execute(tx)
  return rows
}

import type { TenantTx } from '#platform/db'

/** What some users are called, by id, for whoever shows a list that names them. */
export async function namesOfUsers(tx: TenantTx, ids: Iterable<string>): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)]
  if (!wanted.length) return new Map()
  const users = await tx.selectFrom('identity.users').select(['id', 'name']).where('id', 'in', wanted).execute()
  return new Map(users.map(({ id, name }) => [id, name]))
}

/** Which of these are active users of the workspace: the only ones work can be given to. */
export async function activeUsersAmong(tx: TenantTx, ids: Iterable<string>): Promise<Set<string>> {
  const wanted = [...new Set(ids)]
  if (!wanted.length) return new Set()
  const users = await tx
    .selectFrom('identity.users')
    .select('id')
    .where('id', 'in', wanted)
    .where('status', '=', 'active')
    .execute()
  return new Set(users.map(({ id }) => id))
}

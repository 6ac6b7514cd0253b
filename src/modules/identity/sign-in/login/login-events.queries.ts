import { type Insertable, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { minIdAt, nilUuid } from '#platform/ids'

export async function insertLoginEvent(tx: TenantTx, event: Insertable<Database['identity.login_events']>) {
  await tx.insertInto('identity.login_events').values(event).execute()
}

// Logins of impersonating admins are ignored: they say nothing about the networks and devices of the user.

/** An unknown user (null) runs the same query, so timing does not reveal accounts. */
export async function hasLoggedInFrom(tx: TenantTx, userId: string | null, network: string, since: Date) {
  const login = await tx
    .selectFrom('identity.login_events')
    .select('id')
    .where('user_id', '=', userId ?? nilUuid)
    .where('id', '>=', minIdAt(since))
    .where('outcome', '=', 'success')
    .where('actor_user_id', 'is', null)
    .where(sql<boolean>`ip <<= ${network}::cidr`)
    .limit(1)
    .executeTakeFirst()
  return login !== undefined
}

export function listRecentLogins(tx: TenantTx, userId: string, network: string, limit: number) {
  return tx
    .selectFrom('identity.login_events')
    .select(['user_agent', sql<boolean>`ip <<= ${network}::cidr`.as('is_near')])
    .where('user_id', '=', userId)
    .where('outcome', '=', 'success')
    .where('actor_user_id', 'is', null)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

import { type Insertable, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { idAt } from '#platform/ids'

export async function insertLoginEvent(tx: TenantTx, event: Insertable<Database['identity.login_events']>) {
  await tx.insertInto('identity.login_events').values(event).execute()
}

// Where an admin was who acted as somebody says nothing about where that person is known.

/** Whether somebody signed in from this network since then. Nobody never did, and it takes as long to find out. */
export async function hasLoggedInFrom(tx: TenantTx, userId: string | null, network: string, since: Date) {
  const found = await tx
    .selectFrom('identity.login_events')
    .select('id')
    .where('user_id', '=', userId ?? nobody)
    .where('id', '>=', idAt(since))
    .where('outcome', '=', 'success')
    .where('actor_user_id', 'is', null)
    .where(sql<boolean>`ip <<= ${network}::cidr`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

const nobody = '00000000-0000-0000-0000-000000000000'

/** Where somebody signed in lately, the latest first. */
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

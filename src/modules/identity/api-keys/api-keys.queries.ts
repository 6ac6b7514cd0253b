import { type Insertable, sql } from 'kysely'
import { type Database, type TenantTx, tenantOf } from '#platform/db'
import { notFound } from '#platform/errors'

const selectKeys = (tx: TenantTx) =>
  tx
    .selectFrom('identity.api_keys as key')
    .innerJoin('identity.users as creator', 'creator.id', 'key.created_by')
    .leftJoin('identity.connected_apps as app', 'app.id', 'key.connected_app_id')
    .select([
      'key.id',
      'key.name',
      'key.key_prefix',
      'key.last_four',
      'key.scopes',
      'key.preset',
      'key.connected_app_id',
      'app.name as connected_app_name',
      'key.expires_at',
      'key.last_used_at',
      'key.last_used_ip',
      'key.created_by',
      'creator.name as creator_name',
      'creator.role as creator_role',
      'key.created_at',
      'key.revoked_at',
      'key.revoke_reason',
    ])

export type ApiKeyRow = Awaited<ReturnType<typeof getApiKey>>

export const getApiKey = (tx: TenantTx, id: string) =>
  selectKeys(tx)
    .where('key.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('API key'))

export async function insertApiKey(tx: TenantTx, key: Insertable<Database['identity.api_keys']>): Promise<void> {
  await tx.insertInto('identity.api_keys').values(key).execute()
}

/** New keys of a workspace are counted one after the other, or two at once would both be the last that fits. */
export async function lockKeyCount(tx: TenantTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${tenantOf(tx)}:api_keys`}, 0))`.execute(tx)
}

export function countLiveKeys(tx: TenantTx, userId: string, now: Date) {
  return tx
    .selectFrom('identity.api_keys')
    .select([sql<number>`count(*)`.as('all'), sql<number>`count(*) filter (where created_by = ${userId})`.as('own')])
    .where('revoked_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
}

export async function hasConnectedApp(tx: TenantTx, id: string): Promise<boolean> {
  const found = await tx.selectFrom('identity.connected_apps').select('id').where('id', '=', id).executeTakeFirst()
  return found !== undefined
}

export function markKeysOfUserRevoked(tx: TenantTx, userId: string, reason: string, revokedBy: string | null) {
  return tx
    .updateTable('identity.api_keys')
    .set({ revoked_at: sql`now()`, revoke_reason: reason, revoked_by: revokedBy })
    .where('created_by', '=', userId)
    .where('revoked_at', 'is', null)
    .returning(['id', 'name'])
    .execute()
}

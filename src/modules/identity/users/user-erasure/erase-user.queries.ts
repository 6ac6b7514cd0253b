import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function listUserIdsErasedSince(tx: TenantTx, since: Date): Promise<string[]> {
  const users = await tx
    .selectFrom('identity.users')
    .select('id')
    .where('status', '=', 'erased')
    .where('updated_at', '>=', since)
    .orderBy('id')
    .execute()
  return users.map(({ id }) => id)
}

export async function deleteIdentityRows(tx: TenantTx, userId: string): Promise<void> {
  await tx.deleteFrom('identity.user_identities').where('user_id', '=', userId).execute()
}

export async function deleteOneTimeTokenRows(tx: TenantTx, userId: string): Promise<void> {
  await tx.deleteFrom('identity.one_time_tokens').where('user_id', '=', userId).execute()
}

/** Deletes impersonation sessions; ended sessions still contain IP addresses and devices. */
export async function deleteSessionRows(tx: TenantTx, userId: string): Promise<void> {
  await sql`
    delete from identity.sessions where id = any (array(
      select id from identity.sessions where user_id = ${userId} order by id for update))
  `.execute(tx)
}

export async function clearPresence(tx: TenantTx, userId: string): Promise<void> {
  await tx
    .updateTable('identity.user_presence')
    .set({ last_login_at: null, last_seen_at: null })
    .where('user_id', '=', userId)
    .execute()
}

export async function redactApiKeyUsage(tx: TenantTx, userId: string): Promise<void> {
  await tx.updateTable('identity.api_keys').set({ last_used_ip: null }).where('created_by', '=', userId).execute()
}

/** login_events is append-only for the application role, so a security definer function redacts it. */
export async function redactLoginEvents(tx: TenantTx, userId: string): Promise<void> {
  await sql`select identity.forget_sign_ins(${userId})`.execute(tx)
}

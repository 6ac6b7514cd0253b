import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function deleteIdentities(tx: TenantTx, userId: string): Promise<void> {
  await tx.deleteFrom('identity.user_identities').where('user_id', '=', userId).execute()
}

export async function deleteOneTimeTokens(tx: TenantTx, userId: string): Promise<void> {
  await tx.deleteFrom('identity.one_time_tokens').where('user_id', '=', userId).execute()
}

/** Their own and those in which somebody acted as them. They have ended; addresses and devices stand in them. */
export async function deleteSessions(tx: TenantTx, userId: string): Promise<void> {
  await tx.deleteFrom('identity.sessions').where('user_id', '=', userId).execute()
}

export async function blankPresence(tx: TenantTx, userId: string): Promise<void> {
  await tx
    .updateTable('identity.user_presence')
    .set({ last_login_at: null, last_seen_at: null })
    .where('user_id', '=', userId)
    .execute()
}

export async function blankUseOfKeys(tx: TenantTx, userId: string): Promise<void> {
  await tx.updateTable('identity.api_keys').set({ last_used_ip: null }).where('created_by', '=', userId).execute()
}

/** Sign-ins are written once and for all, also for this application, so the database itself blanks them. */
export async function forgetSignIns(tx: TenantTx, userId: string): Promise<void> {
  await sql`select identity.forget_sign_ins(${userId})`.execute(tx)
}

import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function hasPassword(tx: TenantTx, userId: string): Promise<boolean> {
  const credentials = await tx
    .selectFrom('identity.user_credentials')
    .select('password_hash')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return credentials?.password_hash != null
}

type NewPassword = { hash: string | null; changedAt: Date; temporaryExpiresAt: Date | null }

/** A null hash disables sign-in with a password. */
export async function replacePassword(
  tx: TenantTx,
  userId: string,
  { hash, changedAt, temporaryExpiresAt }: NewPassword,
) {
  await tx
    .updateTable('identity.user_credentials')
    .set({
      password_hash: hash,
      password_changed_at: changedAt,
      temporary: temporaryExpiresAt !== null,
      temporary_expires_at: temporaryExpiresAt,
    })
    .where('user_id', '=', userId)
    .execute()
}

export async function insertMissingCredentials(tx: TenantTx): Promise<void> {
  await sql`
    insert into identity.user_credentials (user_id)
    select id from identity.users on conflict on constraint user_credentials_pkey do nothing
  `.execute(tx)
}

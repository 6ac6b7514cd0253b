import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type NewCode = { link_id: string; email_key: string; code_hash: Buffer; expires_at: Date }

/** The newest code replaces the one before. */
export async function upsertCode(tx: TenantTx, code: NewCode): Promise<void> {
  await tx
    .insertInto('enablement.room_codes')
    .values({ ...code, attempts: 0 })
    .onConflict((conflict) =>
      conflict.constraint('room_codes_pkey').doUpdateSet(({ ref }) => ({
        code_hash: ref('excluded.code_hash'),
        expires_at: ref('excluded.expires_at'),
        attempts: sql<number>`0`,
      })),
    )
    .execute()
}

/** Counts an attempt and returns the code; the row lock makes concurrent attempts count one after the other. */
export function countCodeAttempt(tx: TenantTx, linkId: string, emailKey: string) {
  return tx
    .updateTable('enablement.room_codes')
    .set(({ eb }) => ({ attempts: eb('attempts', '+', 1) }))
    .where('link_id', '=', linkId)
    .where('email_key', '=', emailKey)
    .returning(['code_hash', 'expires_at', 'attempts'])
    .executeTakeFirst()
}

export async function deleteCode(tx: TenantTx, linkId: string, emailKey: string): Promise<void> {
  await tx.deleteFrom('enablement.room_codes').where('link_id', '=', linkId).where('email_key', '=', emailKey).execute()
}

export async function deleteCodesOf(tx: TenantTx, emailKeys: readonly string[]): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('enablement.room_codes')
    .where('email_key', '=', sql<string>`any(${emailKeys}::text[])`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

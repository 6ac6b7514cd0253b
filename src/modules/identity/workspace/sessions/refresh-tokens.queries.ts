import type { TenantTx } from '#platform/db'

const tokenColumns = ['id', 'session_id', 'seq', 'issued_at', 'expires_at', 'rotated_at', 'signing_kid'] as const

type NewRefreshToken = {
  id: string
  session_id: string
  seq: number
  issued_at: Date
  expires_at: Date
  signing_kid: string
}

export function insertRefreshToken(tx: TenantTx, token: NewRefreshToken) {
  return tx.insertInto('identity.refresh_tokens').values(token).returning(tokenColumns).executeTakeFirstOrThrow()
}

export function lockRefreshToken(tx: TenantTx, sessionId: string, id: string) {
  return tx
    .selectFrom('identity.refresh_tokens')
    .select(tokenColumns)
    .where('id', '=', id)
    .where('session_id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst()
}

export function getNewestRefreshToken(tx: TenantTx, sessionId: string) {
  return tx
    .selectFrom('identity.refresh_tokens')
    .select(tokenColumns)
    .where('session_id', '=', sessionId)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}

export async function markRefreshTokenRotated(tx: TenantTx, id: string, now: Date): Promise<void> {
  await tx.updateTable('identity.refresh_tokens').set({ rotated_at: now }).where('id', '=', id).execute()
}

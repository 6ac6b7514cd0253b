import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type OneTimeTokenKind = 'password_reset' | 'invite' | 'email_verify' | 'sso_handoff'

const tokenColumns = ['id', 'kind', 'user_id', 'expires_at', 'used_at', 'meta'] as const

type NewToken = {
  id: string
  kind: OneTimeTokenKind
  user_id: string
  token_hash: Buffer
  expires_at: Date
  meta: string
  created_at?: Date
}

export async function insertOneTimeToken(tx: TenantTx, token: NewToken): Promise<void> {
  await tx.insertInto('identity.one_time_tokens').values(token).execute()
}

export function findOneTimeToken(tx: TenantTx, kinds: readonly OneTimeTokenKind[], hash: Buffer) {
  return tx
    .selectFrom('identity.one_time_tokens')
    .select(tokenColumns)
    .where('token_hash', '=', hash)
    .where('kind', '=', sql<string>`any(${kinds}::text[])`)
    .executeTakeFirst()
}

export function markOneTimeTokenUsed(tx: TenantTx, id: string, now: Date) {
  return tx
    .updateTable('identity.one_time_tokens')
    .set({ used_at: now })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(tokenColumns)
    .executeTakeFirst()
}

/** Locks in the order of ids, because several invitations of a user can be open. */
export async function markOneTimeTokensUsed(
  tx: TenantTx,
  userId: string,
  kinds: readonly OneTimeTokenKind[],
  now: Date,
): Promise<void> {
  await tx
    .updateTable('identity.one_time_tokens')
    .set({ used_at: now })
    .where(
      'id',
      '=',
      sql<string>`any(array(
        select id from identity.one_time_tokens
        where user_id = ${userId} and kind = any(${kinds}::text[]) and used_at is null
        order by id for no key update))`,
    )
    .execute()
}

/** Counts distinct requests, because a job that ran twice created two tokens for one request. */
export async function countResetRequests(
  tx: TenantTx,
  userId: string,
  since: Date,
  exceptRequestId: string,
): Promise<number> {
  const { requests } = await tx
    .selectFrom('identity.one_time_tokens')
    .select(
      sql<number>`count(distinct meta->>'request') filter (where meta->>'request' <> ${exceptRequestId})`.as(
        'requests',
      ),
    )
    .where('user_id', '=', userId)
    .where('kind', '=', 'password_reset')
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return requests
}

import type { TenantTx } from '#platform/db'
import { gone, invalid } from '#platform/errors'
import { newId } from '#platform/ids'
import { generateSecretToken, hashToken } from '#platform/secrets'
import {
  findOneTimeToken,
  insertOneTimeToken,
  markOneTimeTokenUsed,
  type OneTimeTokenKind,
} from './one-time-tokens.queries.ts'

type NewOneTimeToken = {
  kind: OneTimeTokenKind
  userId: string
  expiresAt: Date
  meta?: Record<string, unknown>
  issuedAt?: Date
}

export async function createOneTimeToken(tx: TenantTx, input: NewOneTimeToken): Promise<string> {
  const token = generateSecretToken()
  await insertOneTimeToken(tx, {
    id: newId(),
    kind: input.kind,
    user_id: input.userId,
    token_hash: hashToken(token),
    expires_at: input.expiresAt,
    meta: JSON.stringify(input.meta ?? {}),
    ...(input.issuedAt && { created_at: input.issuedAt }),
  })
  return token
}

type OwnerCheck = { userId?: string }

export async function getOneTimeToken(
  tx: TenantTx,
  kinds: readonly OneTimeTokenKind[],
  token: string,
  now: Date,
  { userId }: OwnerCheck = {},
) {
  const existing = await findOneTimeToken(tx, kinds, hashToken(token))
  if (!existing || (userId && existing.user_id !== userId))
    throw invalid('body', '/token', 'invalid', 'This link is not valid. Request a new one.')
  if (existing.used_at || existing.expires_at <= now) throw linkExpired()
  return existing
}

export async function consumeOneTimeToken(
  tx: TenantTx,
  kinds: readonly OneTimeTokenKind[],
  token: string,
  now: Date,
  ownerCheck: OwnerCheck = {},
) {
  const existing = await getOneTimeToken(tx, kinds, token, now, ownerCheck)
  const used = await markOneTimeTokenUsed(tx, existing.id, now)
  if (!used) throw linkExpired()
  return used
}

export const linkExpired = () => gone('link_expired', 'This link was already used or has expired. Request a new one.')

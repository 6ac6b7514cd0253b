import type { TenantTx } from '#platform/db'
import { gone, invalid } from '#platform/errors'
import { newId } from '#platform/ids'
import { hashToken, newSecretToken } from '#platform/secrets'
import { findToken, insertToken, markTokenUsed, type OneTimeKind } from './one-time-tokens.queries.ts'

type Issue = { kind: OneTimeKind; userId: string; expiresAt: Date; meta?: Record<string, unknown>; issuedAt?: Date }

/** The text of the token exists only in what is returned: the database keeps its hash. */
export async function issueOneTimeToken(tx: TenantTx, issue: Issue): Promise<string> {
  const token = newSecretToken()
  await insertToken(tx, {
    id: newId(),
    kind: issue.kind,
    user_id: issue.userId,
    token_hash: hashToken(token),
    expires_at: issue.expiresAt,
    meta: JSON.stringify(issue.meta ?? {}),
    ...(issue.issuedAt && { created_at: issue.issuedAt }),
  })
  return token
}

type Owner = { /** Where somebody is signed in, the token of another is none. */ ofUser?: string }

/** The token, as long as it can be used. Looking does not use it up. */
export async function getOneTimeToken(
  tx: TenantTx,
  kinds: readonly OneTimeKind[],
  token: string,
  now: Date,
  { ofUser }: Owner = {},
) {
  const found = await findToken(tx, kinds, hashToken(token))
  if (!found || (ofUser && found.user_id !== ofUser))
    throw invalid('body', '/token', 'invalid', 'This link is not valid. Ask for a new one.')
  if (found.used_at || found.expires_at <= now) throw linkExpired()
  return found
}

/** Uses the token up. Of two who try at the same time one succeeds. */
export async function useOneTimeToken(
  tx: TenantTx,
  kinds: readonly OneTimeKind[],
  token: string,
  now: Date,
  owner: Owner = {},
) {
  const found = await getOneTimeToken(tx, kinds, token, now, owner)
  const used = await markTokenUsed(tx, found.id, now)
  if (!used) throw linkExpired()
  return used
}

export const linkExpired = () =>
  gone('link_expired', 'This link was used already or its time is over. Ask for a new one.')

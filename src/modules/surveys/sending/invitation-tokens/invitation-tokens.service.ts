import { findOrCreateSecret } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { generateSecretToken, hashToken, type SecretBox } from '#platform/secrets'
import { currentKeyVersion, deriveInvitationToken, tokenKeyName } from './invitation-tokens.rules.ts'

export type InvitationTokens = {
  keyVersion: number
  tokenOf(invitationId: string): string
  /** The value of `token_hash` of the invitation. */
  hashOf(invitationId: string): Buffer
}

/** Reads the key of the workspace once for any number of invitations. */
export async function readInvitationTokens(
  tx: TenantTx,
  secrets: SecretBox,
  keyVersion = currentKeyVersion,
): Promise<InvitationTokens> {
  const key = await findOrCreateSecret(tx, secrets, tokenKeyName(keyVersion), generateSecretToken)
  const tokenOf = (invitationId: string) => deriveInvitationToken(key, invitationId)
  return { keyVersion, tokenOf, hashOf: (invitationId) => hashToken(tokenOf(invitationId)) }
}

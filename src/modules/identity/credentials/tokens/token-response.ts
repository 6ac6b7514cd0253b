import type { TenantTx } from '#platform/db'
import { tenantIdOf } from '#platform/db'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import type { LoginAccount } from '../../workspace/user-records/login-accounts.queries.ts'
import type { AuthServices } from './auth-services.ts'
import type { TokenResponse } from './token-response.schemas.ts'
import { accessTokenSeconds } from './tokens.ts'

export type SessionGrant = {
  tenantId: string
  account: Pick<LoginAccount, 'id' | 'email' | 'name' | 'role' | 'must_change_password'>
  mustVerifyEmail: boolean
  session: { id: string; auth_method: string; authenticated_at: Date }
  refresh: { id: string; issued_at: Date; expires_at: Date; signing_kid: string }
}

export async function createTokenResponse(
  { tokens, clock }: AuthServices,
  grant: SessionGrant,
): Promise<TokenResponse> {
  const { tenantId, account, session, refresh } = grant
  const bearer = { tenantId, userId: account.id, sessionId: session.id }
  const proof = { authenticatedAt: session.authenticated_at, method: session.auth_method }
  const stored = {
    id: refresh.id,
    issuedAt: refresh.issued_at,
    expiresAt: refresh.expires_at,
    kid: refresh.signing_kid,
  }
  const { id, email, name, role } = account
  return {
    access_token: await tokens.signAccessToken({ ...bearer, ...proof }),
    refresh_token: await tokens.signRefreshToken({ ...bearer, ...stored }),
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    refresh_expires_in: Math.round((refresh.expires_at.getTime() - clock.now().getTime()) / 1_000),
    must_change_password: account.must_change_password,
    email_verification_required: grant.mustVerifyEmail,
    user: { id, email, name, role },
  }
}

/** Only self-registered users must verify their email, and only if the workspace requires it. */
export async function mustVerifyEmail(tx: TenantTx, account: Pick<LoginAccount, 'source' | 'email_verified_at'>) {
  if (account.source !== 'signup' || account.email_verified_at) return false
  return (await readSettings(tx, 'signup')).require_verified_email
}

type CreatedSession = Pick<SessionGrant, 'session' | 'refresh'>

export const getSessionGrant = async (
  tx: TenantTx,
  account: LoginAccount,
  { session, refresh }: CreatedSession,
): Promise<SessionGrant> => ({
  tenantId: tenantIdOf(tx),
  account,
  mustVerifyEmail: await mustVerifyEmail(tx, account),
  session,
  refresh,
})

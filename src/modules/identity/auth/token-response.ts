import type { TenantTx } from '#platform/db'
import { tenantOf } from '#platform/db'
import { readSettings } from '../settings/settings.queries.ts'
import type { Account } from './accounts.queries.ts'
import type { TokenResponse } from './auth.schemas.ts'
import type { AuthServices } from './auth-services.ts'
import { accessSeconds } from './tokens.ts'

/** A session from which tokens are made. */
export type Issue = {
  tenantId: string
  account: Pick<Account, 'id' | 'email' | 'name' | 'role' | 'must_change_password'>
  mustVerifyEmail: boolean
  session: { id: string; auth_method: string; authenticated_at: Date }
  refresh: { id: string; issued_at: Date; expires_at: Date; signing_kid: string }
}

export async function tokenResponse({ tokens, clock }: AuthServices, issue: Issue): Promise<TokenResponse> {
  const { tenantId, account, session, refresh } = issue
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
    access_token: await tokens.signAccess({ ...bearer, ...proof }),
    refresh_token: await tokens.signRefresh({ ...bearer, ...stored }),
    token_type: 'Bearer',
    expires_in: accessSeconds,
    refresh_expires_in: Math.round((refresh.expires_at.getTime() - clock.now().getTime()) / 1_000),
    must_change_password: account.must_change_password,
    email_verification_required: issue.mustVerifyEmail,
    user: { id, email, name, role },
  }
}

/** Only whoever signed up by themselves has to prove their address, and only where the workspace wants it. */
export async function mustVerifyEmail(tx: TenantTx, account: Pick<Account, 'source' | 'email_verified_at'>) {
  if (account.source !== 'signup' || account.email_verified_at) return false
  return (await readSettings(tx, 'signup')).require_verified_email
}

type Started = Pick<Issue, 'session' | 'refresh'>

export const issueFor = async (tx: TenantTx, account: Account, { session, refresh }: Started): Promise<Issue> => ({
  tenantId: tenantOf(tx),
  account,
  mustVerifyEmail: await mustVerifyEmail(tx, account),
  session,
  refresh,
})

import ipaddr from 'ipaddr.js'
import { scopesOfRole, type Trace, type UserActor } from '#platform/access'
import { AppError, forbidden, unauthenticated } from '#platform/errors'
import type { Authentication, RouteConfig } from '#platform/http'
import { accountDisabled } from '../../workspace/user-records/users.rules.ts'
import { effectiveScopes } from '../api-keys/effective-scopes.rules.ts'
import { expiredToken, invalidToken, revokedToken, type TokenClaims, tenantMismatch } from '../tokens/tokens.ts'
import type { AuthContext } from './auth-context.queries.ts'

/** A workspace that is being deleted is reported as missing. */
export function assertTenantActive(context: AuthContext | undefined): asserts context is AuthContext {
  if (!context || context.tenant_status === 'deleting')
    throw new AppError(404, 'tenant_not_found', 'There is no workspace at this host.')
  if (context.tenant_status === 'suspended')
    throw forbidden('tenant_suspended', 'This workspace is suspended. Contact the operator of the service.')
}

const workspaceOf = ({ tenant_id, tenant_slug, tenant_name }: AuthContext) => ({
  id: tenant_id,
  slug: tenant_slug,
  name: tenant_name,
})

export const authenticateAnonymous = (context: AuthContext): Authentication => ({
  tenant: workspaceOf(context),
  actor: null,
  restriction: null,
  isReadOnly: false,
  isInMaintenance: context.tenant_in_maintenance,
  requestsPerMinute: null,
})

export function authenticateSession(context: AuthContext, claims: TokenClaims, trace: Trace): Authentication {
  if (claims.tenantId !== context.tenant_id) throw tenantMismatch()
  if (context.session_state === 'expired') throw expiredToken()
  if (context.session_state !== 'live') throw revokedToken()
  if (claims.userId !== context.user_id) throw invalidToken()
  assertActive(context)

  const isImpersonation = context.session_kind === 'impersonation'
  const actor: UserActor = {
    ...userFieldsOf(context, trace),
    type: isImpersonation ? 'impersonation' : 'user',
    actorUserId: context.actor_user_id,
    sessionId: context.session_id,
    apiKeyId: null,
    scopes: scopesOfRole(context.user_role!),
    authenticatedAt: context.authenticated_at,
  }
  return { ...authenticateAnonymous(context), actor, restriction: isImpersonation ? null : restrictionOf(context) }
}

/** Does not check the IP allowlist: the authenticator does, because it audits the denial. */
export function authenticateApiKey(context: AuthContext, trace: Trace): Authentication {
  if (!context.key_id) throw invalidApiKey()
  if (context.key_state === 'expired')
    throw unauthenticated('token_expired', 'The API key has expired. Create a new one.')
  if (context.key_state !== 'live') throw revokedApiKey()
  assertActive(context)
  if (context.app_status === 'disabled')
    throw forbidden(
      'connected_app_disabled',
      'The connected app of this API key is disabled. Ask an admin to enable it.',
    )

  const { key_scopes, key_preset, user_role } = context
  const actor: UserActor = {
    ...userFieldsOf(context, trace),
    type: 'api_key',
    actorUserId: null,
    sessionId: null,
    apiKeyId: context.key_id,
    scopes: effectiveScopes(key_scopes!, user_role!, key_preset),
  }
  const { key_requests_per_minute: requestsPerMinute } = context
  return { ...authenticateAnonymous(context), actor, isReadOnly: key_preset === 'read_only', requestsPerMinute }
}

export const invalidApiKey = () => unauthenticated('invalid_token', 'The API key is not valid in this workspace.')

export const revokedApiKey = () => unauthenticated('token_revoked', 'The API key was revoked. Create a new one.')

export function isAllowedIpAddress({ app_allowlist: allowlist }: AuthContext, ip: string): boolean {
  if (!allowlist?.length) return true
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  return allowlist
    .map((range) => ipaddr.parseCIDR(range))
    .some(([network, bits]) => {
      return network.kind() === address.kind() && address.match(network, bits)
    })
}

const userFieldsOf = ({ tenant_id, user_id, user_role }: AuthContext, trace: Trace) =>
  ({ tenantId: tenant_id, userId: user_id!, role: user_role!, trace, origin: 'api' }) as const

function assertActive({ user_status }: AuthContext): void {
  if (user_status !== 'active') throw accountDisabled()
}

function restrictionOf({ must_change_password, must_verify_email }: AuthContext): Authentication['restriction'] {
  if (must_change_password)
    return { code: 'password_change_required', message: 'Change your password before you continue.' }
  if (must_verify_email)
    return { code: 'email_verification_required', message: 'Verify your email address before you continue.' }
  return null
}

export const requiresAudit = (actor: UserActor, route: string): boolean =>
  actor.type === 'impersonation' || route.startsWith('/api/admin/')

const exceptions = new Set(['/api/auth/me', '/api/auth/logout'])

/** Credentials, API keys and administration are decided by path, so that new routes are forbidden by default. */
export function isForbiddenForImpersonation(
  method: string,
  url: string,
  { signedIn, notWhileImpersonating, oneTimeFields: withheld }: RouteConfig,
): boolean {
  if (notWhileImpersonating) return true
  const path = url.replace(/\/$/, '')
  const isUnder = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`)
  if (signedIn || isUnder('/api/auth')) return !exceptions.has(path)
  if (isUnder('/api/api-keys') || isUnder('/api/admin')) return true
  if (isUnder('/api/connected-apps')) return method !== 'GET' && method !== 'HEAD'
  if (isUnder('/api/webhooks') && (withheld || path.endsWith('/rotate-secret'))) return true
  return /\/(impersonate|reset-password)$/.test(path)
}

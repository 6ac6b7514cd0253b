import type { Trace, UserActor } from '#platform/access'
import { recordAuditDenial } from '#platform/audit'
import type { Clock } from '#platform/clock'
import { createSemaphore } from '#platform/concurrency'
import type { Config } from '#platform/config'
import { type Db, inTenant } from '#platform/db'
import { forbidden, unavailable } from '#platform/errors'
import type { Authentication, AuthenticationRequest, RequestAuthenticator } from '#platform/http'
import { buckets, type RateLimiter } from '#platform/limits'
import { hashToken } from '#platform/secrets'
import type { Log } from '#platform/telemetry'
import { createPresenceTracker } from '../../workspace/sessions/presence-tracker.ts'
import { isWellFormedKey } from '../api-keys/key-format.rules.ts'
import { createKeyRing, type KeyRing } from '../tokens/key-ring.ts'
import { createTokenService, revokedToken, tenantMismatch } from '../tokens/tokens.ts'
import {
  allowOncePerInterval,
  cacheVerifiedTokens,
  coalesceCalls,
  createRevocationCache,
  createUnknownSlugCache,
} from './auth-caches.ts'
import { type AuthContext, type AuthLookup, readAuthContext } from './auth-context.queries.ts'
import { createRequestAuditor } from './request-audit.ts'
import {
  assertTenantActive,
  authenticateAnonymous,
  authenticateApiKey,
  authenticateSession,
  invalidApiKey,
  isAllowedIpAddress,
  isForbiddenForImpersonation,
  requiresAudit,
  revokedApiKey,
} from './request-auth.rules.ts'
import { createRequestLimits } from './request-limits.ts'

type Options = { db: Db; config: Config; clock: Clock; limits: RateLimiter; log: Log; keyRing?: KeyRing }

/** RequestAuthenticator that buffers presence and audit entries; `close` writes them before the process ends. */
export type ManagedRequestAuthenticator = RequestAuthenticator & { flush(): Promise<void>; close(): Promise<void> }

export function createRequestAuthenticator(options: Options): ManagedRequestAuthenticator {
  const { db, config, clock, limits, log, keyRing = createKeyRing(config) } = options
  const verifyToken = cacheVerifiedTokens(createTokenService({ keyRing, config, clock }), clock)
  const presence = createPresenceTracker({ db, clock })
  const auditor = createRequestAuditor({ db, clock, log })
  const isAuditDue = allowOncePerInterval({ clock, seconds: 60 })
  const revoked = createRevocationCache()
  const unknownSlugs = createUnknownSlugCache(clock)
  const lookupSemaphore = createSemaphore({
    concurrency: Math.ceil(config.DATABASE_POOL_SIZE / 2),
    maxQueued: 1_000,
    maxWaitMs: config.DATABASE_WAIT_MS,
  })
  const readWorkspace = coalesceCalls((slug) => readContext({ slug, sessionId: null, keyDigest: null }))

  /** During a flood, callers that are not known yet leave connections to the others. */
  async function readContext(lookup: Omit<AuthLookup, 'now'>, isKnown = false): Promise<AuthContext | undefined> {
    const { slug } = lookup
    if (unknownSlugs.has(slug)) return undefined
    const read = () => readAuthContext(db, { ...lookup, now: clock.now() })
    const context = isKnown ? await read() : await lookupSemaphore(slug, read)
    if (!context) unknownSlugs.add(slug)
    return context
  }

  async function authenticate(request: AuthenticationRequest): Promise<Authentication> {
    const { slug, credential } = request
    if (!credential) return authenticateAnonymous(await getActiveWorkspace(slug))
    return credential.kind === 'session'
      ? await checkSession(request, credential.token)
      : await checkApiKey(request, credential.key)
  }

  async function checkSession(request: AuthenticationRequest, token: string): Promise<Authentication> {
    const { slug, trace, isKnown } = request
    const claims = await verifyToken(token)
    if (revoked.tenantOf(claims.sessionId)) {
      const { tenant_id } = await getActiveWorkspace(slug)
      throw claims.tenantId === tenant_id ? revokedToken() : tenantMismatch()
    }
    const context = await readContext({ slug, sessionId: claims.sessionId, keyDigest: null }, isKnown)
    assertTenantActive(context)
    // Do not cache impersonation sessions: they become valid again if the admin role is restored.
    if (context.session_state === 'revoked' && context.session_kind === 'user')
      revoked.add(claims.sessionId, context.tenant_id)
    const authentication = authenticateSession(context, claims, trace)
    if (authentication.actor!.type === 'impersonation' && auditor.isFull())
      throw unavailable(
        'Impersonation is temporarily unavailable because the audit log cannot be written. Try again in a moment.',
      )
    presence.record(authentication.actor!)
    return authentication
  }

  async function checkApiKey(request: AuthenticationRequest, key: string): Promise<Authentication> {
    const { slug, trace, isKnown } = request
    if (!isWellFormedKey(key)) throw invalidApiKey()
    const keyDigest = hashToken(key)
    const digest = keyDigest.toString('base64url')
    const revokedInTenantId = revoked.tenantOf(digest)
    if (revokedInTenantId) {
      const { tenant_id } = await getActiveWorkspace(slug)
      throw revokedInTenantId === tenant_id ? revokedApiKey() : invalidApiKey()
    }
    const context = await readContext({ slug, sessionId: null, keyDigest }, isKnown)
    assertTenantActive(context)
    if (context.key_state === 'revoked') revoked.add(digest, context.tenant_id)
    const authentication = authenticateApiKey(context, trace)
    const actor = authentication.actor!
    if (!isAllowedIpAddress(context, trace.ip)) await rejectIpAddress(actor, trace)
    presence.record(actor, { isFirstUse: context.key_is_unused === true })
    return authentication
  }

  /** A suspended or deleted workspace is reported before a revoked credential. */
  async function getActiveWorkspace(slug: string) {
    const context = await readWorkspace(slug)
    assertTenantActive(context)
    return context
  }

  async function rejectIpAddress(actor: UserActor, { ip }: Trace): Promise<never> {
    // Local limit first, then the shared Redis limit.
    const key = `${actor.tenantId}:${actor.apiKeyId}:${ip}`
    if (isAuditDue(key) && (await limits.take({ ...buckets.rejectedIp, key })).allowed)
      await inTenant(db, actor, (tx) =>
        recordAuditDenial(tx, 'api_key.used', {
          id: actor.apiKeyId,
          reason: 'The IP address is not on the allowlist of the connected app.',
        }),
      )
    throw forbidden(
      'ip_not_allowed',
      'This API key cannot be used from this IP address. Ask an admin to add it to the allowlist.',
    )
  }

  return {
    authenticate,
    ...createRequestLimits(limits),
    isForbiddenForImpersonation,
    requiresAudit,
    auditRequest: auditor.record,
    async flush() {
      await presence.flush()
      await auditor.flush()
    },
    async close() {
      await presence.close()
      await auditor.close()
    },
  }
}

import { hash } from 'node:crypto'
import type { UserActor } from '#platform/access'
import { setWithEviction } from '#platform/cache'
import { AppError, rateLimited } from '#platform/errors'
import type { Authentication, CountedRequest, RequestSource } from '#platform/http'
import {
  type Bucket,
  buckets,
  networkOf,
  networkPrefixOf,
  type RateLimit,
  type RateLimiter,
  type RateLimitResult,
  type RouteLimit,
  rateLimitHeaders,
} from '#platform/limits'

type Caller = { requestsPerMinute: number | null; buckets: Bucket[] }

const maxKnownCallers = 50_000
const bodyUnitBytes = 65_536

/** Counts requests before the database is used. A known caller is not blocked by refused requests of the same network. */
export function createRequestLimits(limits: RateLimiter) {
  const knownCallers = new Map<string, Caller>()

  async function countRequest(source: RequestSource): Promise<CountedRequest> {
    const { token, slug = '', verifyToken } = source
    if (token !== undefined && !verifyToken) check([unknownTokenBucketOf(source)])
    const isSigned = token === undefined ? undefined : verifyToken?.(token, slug)
    // The links of an email must work although the mail provider sends other requests from the same network.
    const networkBuckets = isSigned ? [] : networkBucketsOf(source)
    const key = credentialKeyOf(source)
    const known = key === null ? undefined : knownCallers.get(key)
    const remember = (caller: Caller) => {
      if (key !== null) setWithEviction(knownCallers, key, caller, maxKnownCallers)
    }
    const headers = known ? check(known.buckets) : await take([...networkBuckets, ...publicBucketsOf(source)])
    let started: Promise<RateLimitResult[]> | undefined
    const undoCounting = async () => {
      if (!known) await limits.refund(networkBuckets)
      else if ((await started)?.every(({ allowed }) => allowed)) await limits.refund(known.buckets)
    }

    return {
      isKnown: known !== undefined,
      hasWrongToken: isSigned === false,
      headers,
      startCounting(routeLimits) {
        if (known && routeLimits === undefined) started = limits.takeAll(known.buckets)
      },
      async countAccepted(authentication, routeLimits) {
        if (started && known?.requestsPerMinute === authentication.requestsPerMinute) {
          remember(known)
          return toHeaders(await started)
        }
        const caller = callerOf(authentication)
        if (!caller) return {}
        remember(caller)
        await undoCounting()
        return await take([...caller.buckets, ...routeBucketsOf(routeLimits, source, authentication.actor)])
      },
      async countRefused(error, authentication) {
        if (!(error instanceof AppError) || error.status >= 500) {
          await undoCounting()
          return
        }
        const accepted = callerOf(authentication)
        if (accepted) remember(accepted)
        else if (key !== null && error.status === 401) knownCallers.delete(key)
        if (known) await limits.takeAll(networkBuckets)
        const caller = accepted ?? known
        if (started) toHeaders(await started)
        else if (caller) await take(caller.buckets)
      },
    }
  }

  async function countLargeBody(tenantId: string, bytes: number): Promise<void> {
    const bucket = { ...buckets.largeBodies, key: tenantId }
    toHeaders(await limits.takeAll([bucket], Math.ceil(bytes / bodyUnitBytes)))
  }

  async function take(all: Bucket[]): Promise<Record<string, string>> {
    check(all)
    return toHeaders(await limits.takeAll(all))
  }

  function check(all: Bucket[]): Record<string, string> {
    assertAllowed(limits.check(all))
    return {}
  }

  /** Not awaited by the request: its response has been sent. */
  function countUnknownToken(source: Pick<RequestSource, 'ip' | 'slug'>): void {
    void limits.take(unknownTokenBucketOf(source))
  }

  return { countRequest, countLargeBody, countUnknownToken }
}

function toHeaders(taken: RateLimitResult[]): Record<string, string> {
  assertAllowed(taken)
  return rateLimitHeaders(taken)
}

/** Impersonated requests count against the admin, so that they do not use up the limit of the user. */
function callerOf(authentication: Authentication | undefined): Caller | undefined {
  const { actor, requestsPerMinute = null } = authentication ?? {}
  if (!actor) return undefined
  const { tenantId, userId, actorUserId, sessionId, apiKeyId } = actor
  const credentialLimit = apiKeyId === null ? buckets.session : apiKeyLimit(requestsPerMinute)
  return {
    requestsPerMinute,
    buckets: [
      { ...credentialLimit, key: `${tenantId}:${sessionId ?? apiKeyId}` },
      { ...buckets.user, key: `${tenantId}:${actorUserId ?? userId}` },
      { ...buckets.tenant, key: tenantId },
    ],
  }
}

const credentialKeyOf = ({ slug, authorization }: RequestSource): string | null =>
  slug === undefined || authorization === undefined ? null : hash('sha256', `${slug} ${authorization}`, 'base64url')

function assertAllowed(results: RateLimitResult[]): void {
  const exceeded = results.filter(({ allowed }) => !allowed)
  if (exceeded.length === 0) return
  const seconds = Math.max(...exceeded.map(({ resetSeconds }) => resetSeconds))
  throw rateLimited(seconds, undefined, rateLimitHeaders(results))
}

/** Requests with a token are counted per workspace, so that wrong links of one do not block those of others. */
const networkBucketsOf = (source: RequestSource): Bucket[] => [
  {
    ...(source.networkLimit ?? buckets.anonymous),
    key: source.token === undefined ? networkOf(source.ip) : networkAndTenantOf(source),
  },
  { ...buckets.anonymousPrefix, key: networkPrefixOf(source.ip) },
]

/** Hashes the slug, so that keys do not contain names of workspaces. */
const networkAndTenantOf = ({ ip, slug = '' }: Pick<RequestSource, 'ip' | 'slug'>): string =>
  `${networkOf(ip)}:${hash('sha256', slug, 'base64url')}`

/** The burst is a quarter of the limit per minute, as in the default limit. */
const apiKeyLimit = (requestsPerMinute: number | null): RateLimit =>
  requestsPerMinute === null
    ? buckets.apiKey
    : { ...buckets.apiKey, limit: requestsPerMinute, burst: Math.ceil(requestsPerMinute / 4) }

const unknownTokenBucketOf = (source: Pick<RequestSource, 'ip' | 'slug'>): Bucket => ({
  ...buckets.unknownToken,
  key: networkAndTenantOf(source),
})

const publicBucketsOf = (source: RequestSource): Bucket[] =>
  source.authorization === undefined ? routeBucketsOf(source.limits, source, null) : []

const routeBucketsOf = (limits: readonly RouteLimit[] = [], source: RequestSource, actor: UserActor | null): Bucket[] =>
  limits.map((limit) => ({ ...limit, key: routeKeyOf(limit, source, actor) }))

function routeKeyOf(limit: RouteLimit, source: RequestSource, actor: UserActor | null): string {
  const { ip, slug, token, params } = source
  const network = networkOf(ip)
  if (limit.per === 'user' && actor) return `${actor.tenantId}:${actor.userId}`
  if (limit.per === 'network' || limit.per === 'user') return network
  if (limit.per === 'network_and_tenant') return networkAndTenantOf(source)
  if (limit.per === 'path_parameter') return hash('sha256', `${slug} ${params?.[limit.parameter]}`, 'base64url')
  const tokenKey = hash('sha256', `${slug} ${token}`, 'base64url')
  return limit.per === 'token' ? tokenKey : `${network}:${tokenKey}`
}

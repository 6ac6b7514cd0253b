import type { UserActor } from '#platform/access'
import { AppError } from '#platform/errors'
import { type Bucket, buckets, networkOf, type RateLimit, type RateLimiter, rateLimitHeaders } from '#platform/limits'

export type Caller = {
  ip: string
  actor: UserActor | null
  tenantId?: string
  limit?: string
  requestsPerMinute?: number | null
}

export async function countRequest(limits: RateLimiter, caller: Caller): Promise<Record<string, string>> {
  const taken = await limits.takeAll([...bucketsOf(caller), ...namedBucketsOf(caller)])
  const headers = rateLimitHeaders(taken)
  if (taken.every(({ allowed }) => allowed)) return headers
  throw new AppError(429, 'rate_limited', 'Too many requests. Wait a moment, then try again.', { headers })
}

function bucketsOf({ ip, actor, requestsPerMinute }: Caller): Bucket[] {
  if (!actor) return [{ ...buckets.anonymous, key: networkOf(ip) }]
  return [
    { ...allowanceOf(requestsPerMinute), key: `${actor.tenantId}:${actor.sessionId ?? actor.apiKeyId}` },
    { ...buckets.tenant, key: actor.tenantId },
  ]
}

/** The burst is a quarter of the limit per minute, as in the default limit. */
const allowanceOf = (requestsPerMinute: number | null | undefined): RateLimit =>
  requestsPerMinute == null
    ? buckets.session
    : { ...buckets.session, limit: requestsPerMinute, burst: Math.ceil(requestsPerMinute / 4) }

const perUser: ReadonlySet<string> = new Set(['heavyRead'])
/** Limits that also count per workspace, so that a caller cannot evade them with many networks. */
const perTenantToo: Readonly<Record<string, RateLimit>> = { signup: buckets.signupTenant }

function namedBucketsOf({ ip, actor, tenantId, limit }: Caller): Bucket[] {
  if (limit === undefined) return []
  const allowance = Object.entries(buckets).find(([name]) => name === limit)?.[1]
  if (!allowance) throw new Error(`There is no rate limit named ${limit}.`)
  const key = actor && perUser.has(limit) ? `${actor.tenantId}:${actor.userId}` : networkOf(ip)
  const ofTenant = tenantId ? perTenantToo[limit] : undefined
  return [{ ...allowance, key }, ...(ofTenant ? [{ ...ofTenant, key: tenantId! }] : [])]
}

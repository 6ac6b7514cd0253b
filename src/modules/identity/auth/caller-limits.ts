import type { SignedIn } from '#platform/access'
import { AppError } from '#platform/errors'
import { type Allowance, type Bucket, buckets, type Limits, limitHeaders, networkOf } from '#platform/limits'

export type Caller = {
  ip: string
  actor: SignedIn | null
  tenantId?: string
  limit?: string
  requestsPerMinute?: number | null
}

/** Counts a request against everything its sender has to keep to, and tells by headers how much is left. */
export async function countCaller(limits: Limits, caller: Caller): Promise<Record<string, string>> {
  const taken = await limits.takeAll([...bucketsOf(caller), ...namedBucketsOf(caller)])
  const headers = limitHeaders(taken)
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

/** A quarter of what an operator lets a key do in a minute may come at once, as it is for everybody. */
const allowanceOf = (requestsPerMinute: number | null | undefined): Allowance =>
  requestsPerMinute == null
    ? buckets.session
    : { ...buckets.session, limit: requestsPerMinute, burst: Math.ceil(requestsPerMinute / 4) }

const perUser: ReadonlySet<string> = new Set(['heavyRead'])
/** What is limited by network and, so that many networks do not help, for the whole workspace. */
const perTenantToo: Readonly<Record<string, Allowance>> = { signup: buckets.signupTenant }

function namedBucketsOf({ ip, actor, tenantId, limit }: Caller): Bucket[] {
  if (limit === undefined) return []
  const allowance = Object.entries(buckets).find(([name]) => name === limit)?.[1]
  if (!allowance) throw new Error(`There is no limit called ${limit}.`)
  const key = actor && perUser.has(limit) ? `${actor.tenantId}:${actor.userId}` : networkOf(ip)
  const ofTenant = tenantId ? perTenantToo[limit] : undefined
  return [{ ...allowance, key }, ...(ofTenant ? [{ ...ofTenant, key: tenantId! }] : [])]
}

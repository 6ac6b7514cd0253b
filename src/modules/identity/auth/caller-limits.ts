import type { SignedIn } from '#platform/access'
import { AppError } from '#platform/errors'
import { type Bucket, buckets, type Limits, limitHeaders, networkOf } from '#platform/limits'

export type Caller = { ip: string; actor: SignedIn | null; limit?: string }

/** Counts a request against everything its sender has to keep to, and tells by headers how much is left. */
export async function countCaller(limits: Limits, caller: Caller): Promise<Record<string, string>> {
  const taken = await limits.takeAll([...bucketsOf(caller), ...namedBucketOf(caller)])
  const headers = limitHeaders(taken)
  if (taken.every(({ allowed }) => allowed)) return headers
  throw new AppError(429, 'rate_limited', 'Too many requests. Wait a moment, then try again.', { headers })
}

function bucketsOf({ ip, actor }: Caller): Bucket[] {
  if (!actor) return [{ ...buckets.anonymous, key: networkOf(ip) }]
  return [
    { ...buckets.session, key: `${actor.tenantId}:${actor.sessionId ?? actor.apiKeyId}` },
    { ...buckets.tenant, key: actor.tenantId },
  ]
}

const perUser: ReadonlySet<string> = new Set(['heavyRead'])

function namedBucketOf({ ip, actor, limit }: Caller): Bucket[] {
  if (limit === undefined) return []
  const allowance = Object.entries(buckets).find(([name]) => name === limit)?.[1]
  if (!allowance) throw new Error(`There is no limit called ${limit}.`)
  const key = actor && perUser.has(limit) ? `${actor.tenantId}:${actor.userId}` : networkOf(ip)
  return [{ ...allowance, key }]
}

import type { Actor } from '#platform/access'
import { rateLimited } from '#platform/errors'
import { buckets, type RateLimiter, rateLimitHeaders } from '#platform/limits'

/** Limits users per minute, whether the model or the rules answer. Jobs are limited by the token budget only. */
export async function assertUnderRateLimit(limits: RateLimiter, { tenantId, userId }: Actor): Promise<void> {
  if (!userId) return
  const taken = await limits.take({ ...buckets.ai, key: `${tenantId}:${userId}` })
  if (taken.allowed) return
  throw rateLimited(
    taken.resetSeconds,
    (wait) => `Too many model requests. Try again in ${wait}.`,
    rateLimitHeaders([taken]),
  )
}

import type { UserActor } from '#platform/access'
import { AppError, rateLimited } from '#platform/errors'
import { type Bucket, type RateLimit, type RateLimiter, rateLimitHeaders } from '#platform/limits'

const [minute, day] = [60, 86_400]
const moderatorFactor = 5

export const threadLimit: RateLimit = { name: 'community_threads', limit: 5, windowSeconds: 10 * minute }
export const replyLimit: RateLimit = { name: 'community_replies', limit: 10, windowSeconds: minute }
export const postLimit: RateLimit = { name: 'community_posts', limit: 200, windowSeconds: day }

type LimitedPost = { actor: UserActor; isModerator: boolean; limits: readonly RateLimit[] }

/** Counts a post of the user, unless it is rejected. */
export async function withinPostLimits<T>(
  limiter: RateLimiter,
  { actor: { tenantId, userId }, isModerator, limits }: LimitedPost,
  work: () => Promise<T>,
): Promise<T> {
  const buckets = limits.map((limit): Bucket => ({ ...limit, ...scaleOf(limit, isModerator, `${tenantId}:${userId}`) }))
  const taken = await limiter.takeAll(buckets)
  const exceeded = taken.filter(({ allowed }) => !allowed)
  if (exceeded.length)
    throw rateLimited(
      Math.max(...exceeded.map(({ resetSeconds }) => resetSeconds)),
      (wait) => `You posted too often. Try again in ${wait}.`,
      rateLimitHeaders(taken),
    )
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError) await limiter.refund(buckets)
    throw error
  }
}

/** Separate buckets, because a user can be a moderator of one room and a member of another. */
const scaleOf = ({ limit, name }: RateLimit, isModerator: boolean, key: string) =>
  isModerator ? { limit: limit * moderatorFactor, name: `${name}_moderator`, key } : { limit, name, key }

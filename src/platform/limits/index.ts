export { type Bucket, buckets, type RateLimit } from './buckets.ts'
export { networkOf, networkPrefixOf } from './network.ts'
export { createRateLimiter, type RateLimiter, type RateLimitResult, rateLimitHeaders } from './rate-limiter.ts'
export type { RouteLimit } from './route-limit.ts'

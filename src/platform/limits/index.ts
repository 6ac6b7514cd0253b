export { type Bucket, buckets, type RateLimit } from './buckets.ts'
export {
  createRateLimiter,
  networkOf,
  networkPrefixOf,
  type RateLimiter,
  type RateLimitResult,
  rateLimitHeaders,
} from './rate-limiter.ts'
export type { RouteLimit } from './route-limit.ts'

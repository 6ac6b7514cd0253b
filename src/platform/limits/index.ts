export { type Bucket, buckets, type RateLimit, type RouteLimit } from './buckets.ts'
export {
  createRateLimiter,
  networkOf,
  networkPrefixOf,
  type RateLimiter,
  type RateLimitResult,
  rateLimitHeaders,
} from './rate-limiter.ts'

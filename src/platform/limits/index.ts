export { type Bucket, buckets, type RateLimit } from './buckets.ts'
export { networkOf, networkPrefixOf } from './network.ts'
export { rateLimitHeaders } from './rate-limit-headers.ts'
export { createRateLimiter, type RateLimiter, type RateLimitResult } from './rate-limiter.ts'

export { setWithEviction } from './bounded-map.ts'
export { type Cache, createCache } from './cache.ts'
export { openRedis, type Redis } from './redis.ts'

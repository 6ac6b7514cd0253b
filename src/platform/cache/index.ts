export { type Cache, createCache, setWithEviction } from './cache.ts'
export { openRedis, type Redis } from './redis.ts'

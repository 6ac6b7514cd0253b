export { type Cache, openCache } from './cache.ts'
export { openRedis, type Redis } from './redis.ts'

export { type Cache, openCache } from './cache.ts'
export { setNewest } from './newest.ts'
export { openRedis, type Redis } from './redis.ts'

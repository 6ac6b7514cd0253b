import { Redis as Client } from 'ioredis'
import { openRedis } from '#platform/cache'
import { newId } from '#platform/ids'
import { createLogger } from '#platform/telemetry'
import { startRedis } from '../../testing/servers/redis.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { type Bucket, createRateLimiter, type RateLimitResult } from './index.ts'

type Cleanup = { after(fn: () => void | Promise<void>): void }
export const log = createLogger({ LOG_LEVEL: 'silent' })
export const normal = { RATE_LIMIT_FACTOR: 1, RATE_LIMIT_INSTANCES: 1 }

export async function startServer(t: Cleanup) {
  const server = await startRedis()
  t.after(server.stop)
  const admin = new Client(server.url)
  t.after(() => admin.disconnect())
  return { server, admin }
}

export async function connectLimiter(t: Cleanup, url: string, config = normal) {
  const redis = openRedis({ REDIS_URL: url, log })
  t.after(redis.close)
  await waitUntil(() => redis.status() === 'ok')
  return { redis, limits: createRateLimiter({ redis, config }) }
}

export const perHour = (limit: number, burst?: number): Bucket => ({
  name: 'signup',
  key: newId(),
  limit,
  windowSeconds: 3_600,
  burst,
})
export const manyTimes = <T>(times: number, work: () => Promise<T>) => Promise.all(Array.from({ length: times }, work))
export const allowedOf = (taken: RateLimitResult[]) => taken.filter(({ allowed }) => allowed).length

import { type Clock, systemClock } from '#platform/clock'
import { type CacheStore, createRedisStore } from './cache-store.ts'
import { createMemoryStore } from './memory-store.ts'
import type { Redis } from './redis.ts'

/** Larger values cost more to fetch from Redis than most queries. */
const maxValueLength = 512 * 1024

/** Values are JSON: a Date is returned as a string, whether it was cached or just loaded. */
export type Cache = {
  get<T>(tenantId: string, name: string): Promise<T | undefined>
  set(tenantId: string, name: string, value: unknown, ttlSeconds: number): Promise<void>
  /** Returns the cached value or the result of `load`; concurrent loads in a process are coalesced. Rejects only if `load` does. */
  getOrLoad<T>(tenantId: string, name: string, ttlSeconds: number, load: () => Promise<T>): Promise<T>
  /** Call after the change is committed. While Redis is down, other processes may read the old value until it expires. */
  invalidate(tenantId: string, name: string): Promise<void>
  ping(): Promise<number | undefined>
  status(): 'ok' | 'down' | 'disabled'
  hitRate(): number | null
  close(): void
}

export function createCache({ redis, clock = systemClock }: { redis: Redis; clock?: Clock }): Cache {
  const store = redis.status() === 'disabled' ? createMemoryStore(clock) : createRedisStore(redis)
  const hits = createHitCounter(clock)
  const loads = new Map<string, Promise<string | undefined>>()

  async function read(key: string): Promise<string | undefined> {
    const text = await store.read(key)
    hits.record(text !== undefined)
    return text
  }

  function loadOnce(key: string, ttlSeconds: number, load: () => Promise<unknown>): Promise<string | undefined> {
    const running = loads.get(key)
    if (running) return running
    const loading = read(key)
      .then(async (cached) => {
        if (cached !== undefined) return cached
        const text = JSON.stringify(await load())
        if (loads.get(key) === loading) await writeValue(store.writeLoaded, key, text, ttlSeconds)
        return text
      })
      .finally(() => {
        if (loads.get(key) === loading) loads.delete(key)
      })
    loads.set(key, loading)
    return loading
  }

  return {
    get: async <T>(tenantId: string, name: string) => parse<T>(await read(keyOf(tenantId, name))),
    set: (tenantId, name, value, ttlSeconds) =>
      writeValue(store.write, keyOf(tenantId, name), JSON.stringify(value), ttlSeconds),
    getOrLoad: async <T>(tenantId: string, name: string, ttlSeconds: number, load: () => Promise<T>) =>
      parse<T>(await loadOnce(keyOf(tenantId, name), ttlSeconds, load)) as T,
    async invalidate(tenantId, name) {
      const key = keyOf(tenantId, name)
      loads.delete(key)
      await store.remove(key)
    },
    ping: redis.ping,
    status: redis.status,
    hitRate: hits.rate,
    close: redis.close,
  }
}

/** Redis has no row-level security, so every key starts with the tenant id. */
const keyOf = (tenantId: string, name: string) => `${tenantId}:${name}`

async function writeValue(
  write: CacheStore['write'],
  key: string,
  text: string | undefined,
  ttlSeconds: number,
): Promise<void> {
  if (text === undefined || text.length > maxValueLength || ttlSeconds < 1) return
  await write(key, text, Math.floor(ttlSeconds))
}

const parse = <T>(text: string | undefined): T | undefined => (text === undefined ? undefined : JSON.parse(text))

export function setWithEviction<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= max) break
    map.delete(oldest)
  }
}

export function createHitCounter(clock: Clock) {
  const minutes = new Map<number, { hits: number; reads: number }>()
  const thisMinute = () => Math.floor(clock.now().getTime() / 60_000)

  function record(isHit: boolean): void {
    const minute = thisMinute()
    const count = minutes.get(minute) ?? { hits: 0, reads: 0 }
    count.reads += 1
    if (isHit) count.hits += 1
    minutes.set(minute, count)
    for (const old of minutes.keys()) if (old <= minute - 60) minutes.delete(old)
  }

  function rate(): number | null {
    const counts = [...minutes].filter(([minute]) => minute > thisMinute() - 60).map(([, count]) => count)
    const reads = counts.reduce((sum, count) => sum + count.reads, 0)
    const hits = counts.reduce((sum, count) => sum + count.hits, 0)
    return reads === 0 ? null : hits / reads
  }

  return { record, rate }
}

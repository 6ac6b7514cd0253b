import { type Clock, systemClock } from '#platform/clock'
import { countHits } from './hit-rate.ts'
import { openMemory } from './memory.ts'
import type { Redis } from './redis.ts'
import { type Shelf, shelfIn } from './shelf.ts'

/** Larger values cost more to fetch than most queries. */
const maxCharacters = 512 * 1024

/** Values that can be had again. They come back as JSON gives them: a Date as a string, whether kept or just loaded. */
export type Cache = {
  /** Undefined when it is not there; null is a value. */
  get<T>(tenantId: string, name: string): Promise<T | undefined>
  set(tenantId: string, name: string, value: unknown, ttlSeconds: number): Promise<void>
  /** The kept value, or what `load` gives; this process loads a value only once at a time. Fails only if `load` does. */
  remember<T>(tenantId: string, name: string, ttlSeconds: number, load: () => Promise<T>): Promise<T>
  /** To be called after the commit of what changed the value. While Redis is away others may see the old one until it expires. */
  forget(tenantId: string, name: string): Promise<void>
  /** Milliseconds to Redis and back; undefined when there is no answer. */
  ping(): Promise<number | undefined>
  status(): 'ok' | 'down' | 'disabled'
  /** Of the last hour, 0..1; null when nothing was read. */
  hitRate(): number | null
  close(): void
}

/** Keeps values in Redis; in this process when no Redis is configured; nowhere while Redis is away. */
export function openCache({ redis, clock = systemClock }: { redis: Redis; clock?: Clock }): Cache {
  const shelf = redis.status() === 'disabled' ? openMemory(clock) : shelfIn(redis)
  const hits = countHits(clock)
  const loads = new Map<string, Promise<string | undefined>>()

  async function read(key: string): Promise<string | undefined> {
    const text = await shelf.read(key)
    hits.note(text !== undefined)
    return text
  }

  function load(key: string, ttlSeconds: number, source: () => Promise<unknown>): Promise<string | undefined> {
    const running = loads.get(key)
    if (running) return running
    const loading = read(key)
      .then(async (kept) => {
        if (kept !== undefined) return kept
        const text = JSON.stringify(await source())
        if (loads.get(key) === loading) await keep(shelf.writeLoaded, key, text, ttlSeconds)
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
      keep(shelf.write, keyOf(tenantId, name), JSON.stringify(value), ttlSeconds),
    remember: async <T>(tenantId: string, name: string, ttlSeconds: number, source: () => Promise<T>) =>
      parse<T>(await load(keyOf(tenantId, name), ttlSeconds, source)) as T,
    async forget(tenantId, name) {
      const key = keyOf(tenantId, name)
      loads.delete(key)
      await shelf.remove(key)
    },
    ping: redis.ping,
    status: redis.status,
    hitRate: hits.rate,
    close: redis.close,
  }
}

/** Shared stores have no row-level security: the tenant stands first in every key. */
const keyOf = (tenantId: string, name: string) => `${tenantId}:${name}`

async function keep(write: Shelf['write'], key: string, text: string | undefined, ttlSeconds: number): Promise<void> {
  if (text === undefined || text.length > maxCharacters || ttlSeconds < 1) return
  await write(key, text, Math.floor(ttlSeconds))
}

const parse = <T>(text: string | undefined): T | undefined => (text === undefined ? undefined : JSON.parse(text))

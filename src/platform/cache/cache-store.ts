import type { Redis } from './redis.ts'

export type CacheStore = {
  read(key: string): Promise<string | undefined>
  write(key: string, text: string, ttlSeconds: number): Promise<void>
  writeLoaded(key: string, text: string, ttlSeconds: number): Promise<void>
  remove(key: string): Promise<void>
}

/** Marks a key as recently removed; JSON text is never empty. */
const tombstone = ''
/** Longer than the statement timeout, so that loads in progress cannot write a stale value. */
const tombstoneTtlMs = 15_000

export function createRedisStore(redis: Redis): CacheStore {
  return {
    read: async (key) => (await redis.run((client) => client.get(key))) || undefined,
    async write(key, text, ttlSeconds) {
      await redis.run((client) => client.set(key, text, 'EX', ttlSeconds))
    },
    async writeLoaded(key, text, ttlSeconds) {
      await redis.run((client) => client.set(key, text, 'EX', ttlSeconds, 'NX'))
    },
    remove: (key) =>
      redis.runOrQueue(key, async (client) => {
        const deleting = client.del(key)
        // A full Redis accepts DEL but not SET. The tombstone only protects against loads in progress.
        client.set(key, tombstone, 'PX', tombstoneTtlMs).catch(() => {})
        await deleting
      }),
  }
}

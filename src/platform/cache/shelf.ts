import type { Redis } from './redis.ts'

/** Where texts are kept for a while. */
export type Shelf = {
  read(key: string): Promise<string | undefined>
  write(key: string, text: string, ttlSeconds: number): Promise<void>
  /** Keeps what was loaded, unless it was removed by anyone since the loading began. */
  writeLoaded(key: string, text: string, ttlSeconds: number): Promise<void>
  remove(key: string): Promise<void>
}

/** No JSON text is empty, so an empty one can mean: removed just now. */
const removed = ''
/** Longer than any statement may take that loads a value to be kept. */
const removedForMs = 15_000

export function shelfIn(redis: Redis): Shelf {
  return {
    read: async (key) => (await redis.run((client) => client.get(key))) || undefined,
    async write(key, text, ttlSeconds) {
      await redis.run((client) => client.set(key, text, 'EX', ttlSeconds))
    },
    async writeLoaded(key, text, ttlSeconds) {
      await redis.run((client) => client.set(key, text, 'EX', ttlSeconds, 'NX'))
    },
    remove: (key) =>
      redis.insist(key, async (client) => {
        const deleting = client.del(key)
        // A full Redis deletes, but takes no mark. The mark is for others who are loading the old value right now.
        client.set(key, removed, 'PX', removedForMs).catch(() => {})
        await deleting
      }),
  }
}

import type { Clock } from '#platform/clock'
import { setWithEviction } from './bounded-map.ts'
import type { CacheStore } from './cache-store.ts'

export function createMemoryStore(clock: Clock, maxEntries = 10_000): CacheStore {
  const entries = new Map<string, { text: string; expiresAt: number }>()

  function read(key: string): string | undefined {
    const entry = entries.get(key)
    if (!entry) return undefined
    entries.delete(key)
    if (entry.expiresAt <= clock.now().getTime()) return undefined
    entries.set(key, entry)
    return entry.text
  }

  function write(key: string, text: string, ttlSeconds: number): void {
    setWithEviction(entries, key, { text, expiresAt: clock.now().getTime() + ttlSeconds * 1_000 }, maxEntries)
  }

  return {
    read: async (key) => read(key),
    write: async (key, text, ttlSeconds) => write(key, text, ttlSeconds),
    writeLoaded: async (key, text, ttlSeconds) => write(key, text, ttlSeconds),
    remove: async (key) => void entries.delete(key),
  }
}

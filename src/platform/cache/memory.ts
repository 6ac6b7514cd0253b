import type { Clock } from '#platform/clock'
import { setNewest } from './newest.ts'
import type { Shelf } from './shelf.ts'

/** What one process keeps for itself when there is no Redis. What was used longest ago goes first. */
export function openMemory(clock: Clock, maxEntries = 10_000): Shelf {
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
    setNewest(entries, key, { text, expiresAt: clock.now().getTime() + ttlSeconds * 1_000 }, maxEntries)
  }

  return {
    read: async (key) => read(key),
    write: async (key, text, ttlSeconds) => write(key, text, ttlSeconds),
    writeLoaded: async (key, text, ttlSeconds) => write(key, text, ttlSeconds),
    remove: async (key) => void entries.delete(key),
  }
}

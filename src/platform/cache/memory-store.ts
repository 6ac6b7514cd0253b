import type { Clock } from '#platform/clock'
import type { CacheStore } from './cache-store.ts'

type Entry = { text: string; expiresAt: number }
type Limits = { maxEntries?: number; maxCharacters?: number }

export function createMemoryStore(
  clock: Clock,
  { maxEntries = 10_000, maxCharacters = 32 * 1024 * 1024 }: Limits = {},
): CacheStore {
  const entries = new Map<string, Entry>()
  let characters = 0

  function add(key: string, entry: Entry): void {
    entries.set(key, entry)
    characters += key.length + entry.text.length
  }

  function remove(key: string): Entry | undefined {
    const entry = entries.get(key)
    if (!entry) return undefined
    entries.delete(key)
    characters -= key.length + entry.text.length
    return entry
  }

  function read(key: string): string | undefined {
    const entry = remove(key)
    if (!entry || entry.expiresAt <= clock.now().getTime()) return undefined
    add(key, entry)
    return entry.text
  }

  function write(key: string, text: string, ttlSeconds: number): void {
    remove(key)
    add(key, { text, expiresAt: clock.now().getTime() + ttlSeconds * 1_000 })
    for (const oldest of entries.keys()) {
      if (entries.size <= maxEntries && characters <= maxCharacters) break
      remove(oldest)
    }
  }

  return {
    read: async (key) => read(key),
    write: async (key, text, ttlSeconds) => write(key, text, ttlSeconds),
    writeLoaded: async (key, text, ttlSeconds) => write(key, text, ttlSeconds),
    remove: async (key) => void remove(key),
  }
}

/** Inserts a value and evicts the oldest entries above `max`. */
export function setWithEviction<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= max) break
    map.delete(oldest)
  }
}

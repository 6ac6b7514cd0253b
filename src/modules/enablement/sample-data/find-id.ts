/** Returns undefined for a record that does not exist: a smaller load has fewer deals. */
export function findId(idOf: (key: string) => string, key: string): string | undefined {
  try {
    return idOf(key)
  } catch {
    return undefined
  }
}

/** Defers expensive work from the start of the process to the first request that needs it. */
export function once<T>(create: () => T): () => T {
  let value: T | undefined
  return () => (value ??= create())
}

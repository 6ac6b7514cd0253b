/**
 * Maps items with at most `concurrency` calls of `work` at the same time. Results keep the order of the items. After an error no further
 * call starts, and the error is thrown when the running ones have ended.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const errors: unknown[] = []
  const remaining = items.entries()
  const run = async () => {
    for (const [index, item] of remaining) {
      if (errors.length) return
      try {
        results[index] = await work(item)
      } catch (error) {
        errors.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, run))
  if (errors.length) throw errors[0]
  return results
}

/** Maps items with at most `concurrency` calls of `work` at the same time. Results keep the order of the items. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const remaining = items.entries()
  const run = async () => {
    for (const [index, item] of remaining) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: concurrency }, run))
  return results
}

type Listed = { id: string; created_at: string }
type LoadedList<Row> = { items: readonly Row[]; hasMore: boolean }

/**
 * Joins lists of which each is sorted by time, newest first. Rows that may come after ones that are not loaded yet wait
 * for them.
 */
export function mergeImports<Row extends Listed>(lists: readonly LoadedList<Row>[]): Row[] {
  const horizon = lists
    .filter(({ hasMore }) => hasMore)
    .map(({ items }) => items.at(-1)?.created_at ?? '')
    .toSorted()
    .at(-1)
  return lists
    .flatMap(({ items }) => items)
    .filter(({ created_at }) => created_at >= (horizon ?? ''))
    .toSorted((one, other) => other.created_at.localeCompare(one.created_at) || other.id.localeCompare(one.id))
}

export type CountedGroup = { key: string; n: number }

/**
 * Returns the groups that must not be shown. Groups that divide the responses are hidden below `minimum`, and so is the smallest
 * shown one as long as fewer than `minimum` responses are hidden, because the total would reveal them. `total` includes responses
 * that are in no group.
 */
export function findSuppressedGroups(groups: readonly CountedGroup[], total: number, minimum: number): Set<string> {
  const shown = groups.filter(({ n }) => n >= minimum).sort((one, other) => one.n - other.n)
  const suppressed = groups.filter(({ n }) => n < minimum)
  let hidden = total - shown.reduce((sum, { n }) => sum + n, 0)
  while (hidden > 0 && hidden < minimum && shown.length) {
    const smallest = shown.shift()!
    suppressed.push(smallest)
    hidden += smallest.n
  }
  return new Set(suppressed.map(({ key }) => key))
}

/** Groups that overlap are hidden if they or all others together are too few. */
export const findSuppressedOverlaps = (groups: readonly CountedGroup[], total: number, minimum: number): Set<string> =>
  new Set(groups.filter(({ n }) => n < minimum || (total > n && total - n < minimum)).map(({ key }) => key))

/** Seconds by page number. A page that was read has at least one. */
export type PageSeconds = Readonly<Record<string, number>>
export type ReadPage = { page: number; seconds: number }

export const maxReadPages = 500

/**
 * Adds the growth of reported pages, whose seconds are cumulative. All pages together never have more seconds than the view:
 * growth beyond that is reduced for all pages alike.
 */
export function mergePageSeconds(
  stored: PageSeconds | null,
  reported: readonly ReadPage[],
  activeSeconds: number,
): PageSeconds | null {
  const growth = new Map<number, number>()
  for (const { page, seconds } of reported) {
    const grown = seconds - (stored?.[page] ?? 0)
    if (grown > (growth.get(page) ?? 0)) growth.set(page, grown)
  }
  const available = Math.max(0, activeSeconds - sumOf(Object.values(stored ?? {})))
  const requested = sumOf([...growth.values()])
  const share = Math.min(1, available / requested)
  const merged = new Map(Object.entries(stored ?? {}))
  for (const [page, grown] of growth) {
    const key = String(page)
    const added = Math.floor(grown * share)
    const hasPlace = merged.has(key) || merged.size < maxReadPages
    if (added > 0 && hasPlace) merged.set(key, (merged.get(key) ?? 0) + added)
  }
  return merged.size ? Object.fromEntries(merged) : null
}

export const listReadPages = (stored: PageSeconds | null): ReadPage[] =>
  Object.entries(stored ?? {})
    .map(([page, seconds]) => ({ page: Number(page), seconds }))
    .toSorted((one, other) => one.page - other.page)

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

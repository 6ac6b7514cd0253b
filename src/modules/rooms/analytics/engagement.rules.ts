export const engagementDays = 30

export type Engagement = {
  visitors: number
  seconds: number
  viewedItems: number
  visibleItems: number
  /** Null if the room was never visited. */
  daysSinceVisit: number | null
}

export type EngagementBand = 'hot' | 'warm' | 'cool' | 'cold'
type Components = { visitors: number; seconds: number; items: number; recency: number }
export type EngagementScore = { value: number | null; band: EngagementBand; components: Components | null }

const bands: [EngagementBand, number][] = [
  ['hot', 70],
  ['warm', 40],
  ['cool', 1],
]

export const hotScore = 70

export const bandOf = (score: number | null): EngagementBand =>
  bands.find(([, from]) => score !== null && score >= from)?.[0] ?? 'cold'

/** Counts external visits of the last 30 days; without one, only the time since the last visit counts. */
export function scoreOf(engagement: Engagement): EngagementScore {
  const { visitors, seconds, viewedItems, visibleItems, daysSinceVisit } = engagement
  if (daysSinceVisit === null) return { value: null, band: 'cold', components: null }
  const isRecent = daysSinceVisit <= engagementDays
  const components = {
    visitors: isRecent ? 30 * Math.min(visitors / 5, 1) : 0,
    seconds: isRecent ? 30 * Math.min(seconds / 1_800, 1) : 0,
    items: isRecent && visibleItems > 0 ? 20 * Math.min(viewedItems / visibleItems, 1) : 0,
    recency: 20 * 0.5 ** (daysSinceVisit / 7),
  }
  const value = Math.round(components.visitors + components.seconds + components.items + components.recency)
  return { value, band: bandOf(value), components: roundAll(components) }
}

const roundAll = ({ visitors, seconds, items, recency }: Components): Components => ({
  visitors: roundToCents(visitors),
  seconds: roundToCents(seconds),
  items: roundToCents(items),
  recency: roundToCents(recency),
})

const roundToCents = (value: number) => Math.round(value * 100) / 100

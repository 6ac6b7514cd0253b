import { daysLater } from '#platform/clock'

type Deal = { id: string; created_at: Date; closed_at: Date | null }
export type InfluenceWindow = { id: string; from: Date; to: Date }

/** Views of buyers count between the creation of a deal and its close or now, and at most `windowDays` before the end. */
export function toInfluenceWindow(
  { id, created_at, closed_at }: Deal,
  { windowDays, now }: { windowDays: number; now: Date },
): InfluenceWindow {
  const to = closed_at ?? now
  const windowStart = daysLater(to, -windowDays)
  return { id, from: windowStart > created_at ? windowStart : created_at, to }
}

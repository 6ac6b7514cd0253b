import type { PqlCondition } from '../settings/plg-settings.schemas.ts'
import type { Measure } from '../usage-store/usage-store.ts'

export const isConditionMet = (
  { min_events = 0, min_days = 0, min_people = 0 }: PqlCondition,
  { events, days, people }: Measure,
): boolean => events >= min_events && days >= min_days && people >= min_people

const dayMs = 86_400_000

/** A qualification is lost when the rule was last met more than `holdDays` days ago. */
export const isHoldOver = (lastMetOn: string, today: string, holdDays: number): boolean =>
  (Date.parse(today) - Date.parse(lastMetOn)) / dayMs > holdDays

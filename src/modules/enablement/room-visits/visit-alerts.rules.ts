import { daysLater } from '#platform/clock'

const returnDays = 14

type EarlierVisits = { lastOfRoom: Date | null; lastOfVisitor: Date | null }

/** A return is a visit after at least 14 days without any. */
export function visitAlertOf(
  { lastOfRoom, lastOfVisitor }: EarlierVisits,
  startedAt: Date,
): 'first_visit' | 'return' | 'new_visitor' | undefined {
  if (lastOfRoom === null) return 'first_visit'
  if (daysLater(lastOfRoom, returnDays) <= startedAt) return 'return'
  return lastOfVisitor === null ? 'new_visitor' : undefined
}

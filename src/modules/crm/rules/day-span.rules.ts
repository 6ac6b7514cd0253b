import { addDays, dayInTimezone, startOfDay } from '#platform/calendar'
import type { DaySpan, RuleDay } from './rule.rules.ts'
import type { RuleContext } from './vocabulary.rules.ts'

export function toCalendarDays({ from, through }: DaySpan, { now, timezone }: RuleContext) {
  const today = dayInTimezone(now, timezone)
  const resolve = (day: RuleDay) => (typeof day === 'string' ? day : addDays(today, day.daysFromToday))
  return { from: from && resolve(from), through: through && resolve(through) }
}

export const startOfDaysAgo = (days: number, context: Omit<RuleContext, 'me'>): string =>
  startOfDay(addDays(dayInTimezone(context.now, context.timezone), -days), context.timezone)

/** Converts a span to instants as ISO strings; `until` is exclusive. */
export function toInstants(span: DaySpan, context: RuleContext) {
  const { from, through } = toCalendarDays(span, context)
  return {
    since: from && startOfDay(from, context.timezone),
    until: through && startOfDay(addDays(through, 1), context.timezone),
  }
}

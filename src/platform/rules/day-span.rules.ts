import { addDays, dayInTimezone, toInstantRange } from '#platform/calendar'
import type { DaySpan, RuleDay } from './rule.rules.ts'
import type { RuleContext } from './vocabulary.rules.ts'

export function toCalendarDays({ from, through }: DaySpan, { now, timezone }: RuleContext) {
  const today = dayInTimezone(now, timezone)
  const resolve = (day: RuleDay) => (typeof day === 'string' ? day : addDays(today, day.daysFromToday))
  return { from: from && resolve(from), through: through && resolve(through) }
}

export const toInstants = (span: DaySpan, context: RuleContext) =>
  toInstantRange(toCalendarDays(span, context), context.timezone)

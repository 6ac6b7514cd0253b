import type { PublicStep } from '../visits/visits.schemas.ts'

const dayMilliseconds = 86_400_000

type LocalDates = { locale: string; timeZone: string }

export const formatDate = (date: Date, { locale, timeZone }: LocalDates): string =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone }).format(date)

/** The time zone of the visitor is unknown without a script, so the text names that of the workspace. */
export const formatTime = (date: Date, { locale, timeZone }: LocalDates): string =>
  new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone, timeZoneName: 'short' }).format(date)

type DayStyle = { length: 'short' | 'long'; hasWeekday: boolean; today: string }

/** Formats a calendar day. The year is left out for days of this year. */
export const formatDay = (day: string, locale: string, { length, hasWeekday, today }: DayStyle): string =>
  new Intl.DateTimeFormat(locale, {
    ...(hasWeekday && { weekday: length }),
    day: 'numeric',
    month: length,
    ...(day.slice(0, 4) !== today.slice(0, 4) && { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(new Date(day))

export const formatUnit = (value: number, unit: 'day' | 'minute' | 'second', locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value)

export type DueBadge = { text: string; kind: 'late' | 'soon' | 'later' }

/** Describes how far away a due day is, such as "in 2 days" or "2 days late". */
export function describeDue(
  dueOn: string,
  today: string,
  { locale, late }: { locale: string; late: (days: string) => string },
): DueBadge {
  const days = Math.round((Date.parse(dueOn) - Date.parse(today)) / dayMilliseconds)
  if (days < 0) return { text: late(formatUnit(-days, 'day', locale)), kind: 'late' }
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  if (days <= 13) return { text: format.format(days, 'day'), kind: days <= 7 ? 'soon' : 'later' }
  const [unit, length] =
    days <= 60 ? (['week', 7] as const) : days <= 730 ? (['month', 30] as const) : (['year', 365] as const)
  return { text: format.format(Math.round(days / length), unit), kind: 'later' }
}

const isLeft = ({ status }: PublicStep) => status !== 'done' && status !== 'cancelled'

export const findNextStep = (steps: readonly PublicStep[]): PublicStep | undefined =>
  steps.find((step) => step.side === 'buyer' && isLeft(step))

export function countSteps(steps: readonly PublicStep[]): { done: number; total: number } {
  const counted = steps.filter(({ status }) => status !== 'cancelled')
  return { done: counted.filter(({ status }) => status === 'done').length, total: counted.length }
}

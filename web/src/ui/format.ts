import { formatTexts } from '../texts/en/format-texts.ts'
import { currentTimeZone, dayNumberOf, yearOf } from './time-zone.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** A duration in at most two units: "12 min", "1 h 20 min", "3 d". */
export function formatDuration(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / minuteMs))
  if (minutes < 60) return formatTexts.minutes(minutes)
  const hours = Math.floor(minutes / 60)
  if (hours >= 24) return formatTexts.days(Math.floor(hours / 24))
  return minutes % 60 ? formatTexts.hoursAndMinutes(hours, minutes % 60) : formatTexts.hours(hours)
}

/** The time since a moment: relative for 14 days, then the date. */
export const formatSince = (value: string, now: number, locale: string): string =>
  describeAge(value, now, locale, formatTexts)

/** The same as a part of a sentence: "2 min ago". */
export const formatAgo = (value: string, now: number, locale: string): string =>
  describeAge(value, now, locale, formatTexts.ago)

type Units = Pick<typeof formatTexts, 'minutes' | 'hours' | 'days'>

function describeAge(value: string, now: number, locale: string, { minutes, hours, days }: Units): string {
  const at = Date.parse(value)
  const passed = now - at
  if (passed < minuteMs) return formatTexts.now
  if (passed < hourMs) return minutes(Math.floor(passed / minuteMs))
  const passedDays = dayNumberOf(now) - dayNumberOf(at)
  if (passedDays <= 0) return passed < 6 * hourMs ? hours(Math.floor(passed / hourMs)) : formatTexts.today
  if (passedDays === 1) return formatTexts.yesterday
  return passedDays <= 14 ? days(passedDays) : formatDate(value, locale)
}

/** A date without a time is a calendar day, the same in every zone. */
export const formatDate = (value: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(isOtherYear(value) && { year: 'numeric' }),
    timeZone: isDay(value) ? 'UTC' : currentTimeZone(),
  }).format(new Date(value))

/** In the time zone of the user, unless another one is given. */
export const formatDateTime = (value: string, locale: string, timeZone = currentTimeZone()): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(value))

export const formatTime = (value: string, locale: string): string =>
  new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: currentTimeZone() }).format(new Date(value))

export const dayIn = (timeZone: string, at: number): string => new Intl.DateTimeFormat('en-CA', { timeZone }).format(at)

const isDay = (value: string): boolean => value.length === 10

const isOtherYear = (value: string): boolean => {
  const at = Date.parse(value)
  return (isDay(value) ? new Date(at).getUTCFullYear() : yearOf(at)) !== yearOf(Date.now())
}

/** Amounts without cents are shown without decimals. */
export function formatMoney({ amount, currency }: { amount: string; currency: string }, locale: string): string {
  const value = Number(amount)
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: Number.isInteger(value) ? 0 : 2,
    maximumFractionDigits: Number.isInteger(value) ? 0 : 2,
  }).format(value)
}

export const formatNumber = (value: number, locale: string): string => new Intl.NumberFormat(locale).format(value)

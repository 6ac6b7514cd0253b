import { campaignTexts as texts } from '../../texts/en/campaign-texts.ts'
import { formatDate } from '../../ui/format.ts'
import type { Campaign } from './campaign-queries.ts'

/** The days of a campaign, such as "9 – 30 Oct"; undefined if they are open. */
export function describeDates(
  { start_on: start, end_on: end }: Pick<Campaign, 'start_on' | 'end_on'>,
  locale: string,
): string | undefined {
  if (start && end) return rangeFormat(locale, start, end).formatRange(new Date(start), new Date(end))
  if (start) return texts.since(formatDate(start, locale))
  return end ? texts.until(formatDate(end, locale)) : undefined
}

const rangeFormat = (locale: string, start: string, end: string): Intl.DateTimeFormat => {
  const year = String(new Date().getUTCFullYear())
  const isThisYear = start.startsWith(year) && end.startsWith(year)
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
    timeZone: 'UTC',
  })
}

/** The return of a campaign beyond its cost, as a multiple of the cost. */
export const formatFactor = (factor: number, locale: string): string =>
  `${new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(factor)} ×`

export const formatRate = (rate: number, locale: string, digits = 0): string =>
  new Intl.NumberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(rate)

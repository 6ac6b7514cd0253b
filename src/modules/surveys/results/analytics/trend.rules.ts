import { addDays, weekdayOf } from '#platform/calendar'
import { headlineOf, type ScoreCounts } from '../../design/scores/scores.rules.ts'
import type { SurveyType } from '../../design/survey-records/surveys.schemas.ts'
import type { DayScore } from './analytics.queries.ts'
import type { TrendInterval, TrendPoint } from './analytics.schemas.ts'

export const maxTrendPoints = 400

const dayMs = 86_400_000
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs + 1

export function chooseInterval(from: string, to: string): TrendInterval {
  const days = daysBetween(from, to)
  if (days <= 31) return 'day'
  return days <= 182 ? 'week' : 'month'
}

export function periodStart(day: string, interval: TrendInterval): string {
  if (interval === 'day') return day
  return interval === 'week' ? addDays(day, 1 - weekdayOf(day)) : `${day.slice(0, 8)}01`
}

function nextPeriod(start: string, interval: TrendInterval): string {
  if (interval !== 'month') return addDays(start, interval === 'day' ? 1 : 7)
  return periodStart(addDays(start, 31), 'month')
}

export function listPeriods(from: string, to: string, interval: TrendInterval): string[] {
  const periods: string[] = []
  for (let start = periodStart(from, interval); start <= to; start = nextPeriod(start, interval)) {
    periods.push(start)
    if (periods.length > maxTrendPoints) break
  }
  return periods
}

export const emptyCounts = (): number[] => Array<number>(11).fill(0)

/** Periods of an anonymous survey without a figure are empty, or hidden if others are (`isHidden`). */
export function toTrend(
  type: Exclude<SurveyType, 'custom'>,
  scores: readonly DayScore[],
  periods: readonly string[],
  { interval, isHidden }: { interval: TrendInterval; isHidden: boolean },
): TrendPoint[] {
  const byPeriod = new Map(periods.map((period) => [period, emptyCounts()]))
  for (const { day, score, n } of scores) byPeriod.get(periodStart(day, interval))![score]! += n
  return [...byPeriod].map(([period_start_on, counts]) => {
    const isSuppressed = isHidden && sumOf(counts) === 0
    const n = isSuppressed ? null : sumOf(counts)
    return { period_start_on, n, ...seriesValueOf(type, isSuppressed ? [] : counts), suppressed: isSuppressed }
  })
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** Only the figure that is the name of the series. */
function seriesValueOf(type: Exclude<SurveyType, 'custom'>, counts: ScoreCounts): Partial<TrendPoint> {
  const headline = headlineOf(type, counts)
  if (type === 'nps') return { nps: headline && 'nps' in headline ? headline.nps : null }
  if (type === 'csat') return { csat_rate: headline && 'csat_rate' in headline ? headline.csat_rate : null }
  return { ces_average: headline && 'ces_average' in headline ? headline.ces_average : null }
}

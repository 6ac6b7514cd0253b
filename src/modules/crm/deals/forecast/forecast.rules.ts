import { addDays, type DateRange, timestampAt } from '#platform/calendar'
import { invalid } from '#platform/errors'
import { toMoney } from '#platform/money'
import { assertDateOrder } from '../../records/filters/list-filter.rules.ts'
import { roundBasisPoints } from '../pipelines/pipelines.rules.ts'
import type { ForecastQuery } from './forecast.schemas.ts'

const maxDays = 400

export function toForecastPeriod(
  { from, to, period }: Pick<ForecastQuery, 'from' | 'to' | 'period'>,
  defaultPeriod: DateRange,
): DateRange {
  if (period !== undefined) {
    if (from !== undefined || to !== undefined)
      throw invalid('query', '/period', 'contradiction', '`period` cannot be combined with `from` and `to`.')
    return toCalendarPeriod(period)
  }
  if (from === undefined && to === undefined) return defaultPeriod
  if (from === undefined || to === undefined)
    throw invalid('query', from === undefined ? '/from' : '/to', 'required', '`from` and `to` must be used together.')
  assertDateOrder(from, to)
  if (to >= addDays(from, maxDays))
    throw invalid('query', '/to', 'range', `The period must not be longer than ${maxDays} days.`)
  return { from, to }
}

function toCalendarPeriod(period: string): DateRange {
  const [year, part] = [Number(period.slice(0, 4)), period.slice(5)]
  const isQuarter = part.startsWith('Q')
  const firstMonth = isQuarter ? (Number(part.slice(1)) - 1) * 3 : Number(part) - 1
  // Day 0 of a month is the last day of the previous month.
  const day = (month: number, dayOfMonth: number) =>
    new Date(Date.UTC(year, month, dayOfMonth)).toISOString().slice(0, 10)
  return { from: day(firstMonth, 1), to: day(firstMonth + (isQuarter ? 3 : 1), 0) }
}

/** Sums in minor units of the base currency; `weighted` covers open deals only and is in 1/10,000 of a minor unit. */
export type ForecastSums = {
  closed: bigint
  commit: bigint
  best_case: bigint
  pipeline: bigint
  weighted: bigint
  open_count: number
  overdue_count: number
}

const zeroSums: ForecastSums = {
  closed: 0n,
  commit: 0n,
  best_case: 0n,
  pipeline: 0n,
  weighted: 0n,
  open_count: 0,
  overdue_count: 0,
}

export const addForecastSums = (all: readonly ForecastSums[]): ForecastSums =>
  all.reduce(
    (sum, one) => ({
      closed: sum.closed + one.closed,
      commit: sum.commit + one.commit,
      best_case: sum.best_case + one.best_case,
      pipeline: sum.pipeline + one.pipeline,
      weighted: sum.weighted + one.weighted,
      open_count: sum.open_count + one.open_count,
      overdue_count: sum.overdue_count + one.overdue_count,
    }),
    zeroSums,
  )

/** The only place that rounds, so that rounding errors of rows do not add up in the total. */
export function toForecastFigures(sums: ForecastSums, currency: string) {
  const { closed, commit, best_case, pipeline, weighted, open_count, overdue_count } = sums
  const money = (minor: bigint) => toMoney(minor, currency)
  return {
    closed: money(closed),
    commit: money(commit),
    best_case: money(best_case),
    pipeline: money(pipeline),
    commit_total: money(closed + commit),
    best_case_total: money(closed + commit + best_case),
    weighted: money(closed + roundBasisPoints(weighted)),
    open_count,
    overdue_count,
  }
}

/** Sums are by UTC month, so the deals closed between the starts of the first month in UTC and in the time zone are added or subtracted. */
export type ClosedPeriod = { sinceMonth: string; sign: 1 | -1; from: Date; to: Date }

export function toClosedPeriod(sinceMonth: string, timezone: string): ClosedPeriod {
  const [utc, local] = [timestampAt(sinceMonth, '00:00', 'UTC'), timestampAt(sinceMonth, '00:00', timezone)]
  return local < utc
    ? { sinceMonth, sign: 1, from: new Date(local), to: new Date(utc) }
    : { sinceMonth, sign: -1, from: new Date(utc), to: new Date(local) }
}

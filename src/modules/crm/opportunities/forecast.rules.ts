import { invalid } from '#platform/errors'
import { toMoney } from '#platform/money'
import { addDays } from '../rules/days.rules.ts'
import { roundSteps } from './amounts.rules.ts'
import type { ForecastQuery } from './forecast.schemas.ts'

/** First and last day, both included. */
export type Span = { from: string; to: string }

const longestDays = 400

/** The span that is asked for, or the one that is meant when none is. */
export function spanOf({ from, to, period }: Pick<ForecastQuery, 'from' | 'to' | 'period'>, present: Span): Span {
  if (period !== undefined) {
    if (from !== undefined || to !== undefined)
      throw invalid('query', '/period', 'contradiction', 'Give either a period, or from and to.')
    return calendarSpan(period)
  }
  if (from === undefined && to === undefined) return present
  if (from === undefined || to === undefined)
    throw invalid('query', from === undefined ? '/from' : '/to', 'required', 'Give both from and to.')
  if (from > to) throw invalid('query', '/to', 'order', 'to is not before from.')
  if (to > addDays(from, longestDays))
    throw invalid('query', '/to', 'range', `A forecast is of at most ${longestDays} days.`)
  return { from, to }
}

function calendarSpan(period: string): Span {
  const [year, part] = [Number(period.slice(0, 4)), period.slice(5)]
  const isQuarter = part.startsWith('Q')
  const first = isQuarter ? (Number(part.slice(1)) - 1) * 3 : Number(part) - 1
  // Day 0 of a month is the last one of the month before.
  const day = (month: number, ofMonth: number) => new Date(Date.UTC(year, month, ofMonth)).toISOString().slice(0, 10)
  return { from: day(first, 1), to: day(first + (isQuarter ? 3 : 1), 0) }
}

/** Sums of some deals in minor units of the base currency; `weighted` of those that are open in ten-thousandths of one. */
export type Sums = {
  closed: bigint
  commit: bigint
  best_case: bigint
  pipeline: bigint
  weighted: bigint
  open_count: number
  overdue_count: number
}

const nothing: Sums = {
  ...{ closed: 0n, commit: 0n, best_case: 0n, pipeline: 0n, weighted: 0n },
  ...{ open_count: 0, overdue_count: 0 },
}

export const addUp = (all: readonly Sums[]): Sums =>
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
    nothing,
  )

/** What people read. Rounded here and nowhere else, so that the total of many rows is not off by one for each. */
export function toFigures(sums: Sums, currency: string) {
  const { closed, commit, best_case, pipeline, weighted, open_count, overdue_count } = sums
  const money = (minor: bigint) => toMoney(minor, currency)
  return {
    closed: money(closed),
    commit: money(commit),
    best_case: money(best_case),
    pipeline: money(pipeline),
    commit_total: money(closed + commit),
    best_case_total: money(closed + commit + best_case),
    weighted: money(closed + roundSteps(weighted)),
    open_count,
    overdue_count,
  }
}

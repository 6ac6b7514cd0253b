import type { DealSegment } from '#modules/crm'
import { toMoney } from '#platform/money'
import { confidenceOf, rateOf, toRate, wilsonLowerBound } from '#platform/statistics'
import type { Insights } from './insights.schemas.ts'

export const minClosedDeals = 5
export const minOpenDeals = 3
const maxRows = 20

export type ContentWinFacts = Omit<Insights['content_wins'][number], 'item'> & { item_id: string }

export type ItemOutcomes = { item_id: string; won: number; closed: number; won_amount_minor: number }
type Totals = { won: number; closed: number }

/** Ranks items by the lower bound of their win rate, among items with enough closed deals. */
export const rankContentWins = (items: readonly ItemOutcomes[], totals: Totals, currency: string): ContentWinFacts[] =>
  items
    .filter(({ closed }) => closed >= minClosedDeals)
    .map((item) => toContentWin(item, totals, currency))
    .toSorted((one, other) => other.wilson_low - one.wilson_low || (one.item_id < other.item_id ? -1 : 1))
    .slice(0, maxRows)

function toContentWin(
  { item_id, won, closed, won_amount_minor }: ItemOutcomes,
  totals: Totals,
  currency: string,
): ContentWinFacts {
  const win_rate = toRate(won / closed)
  // Deals can be reopened after the influences were calculated.
  const others = { won: Math.max(0, totals.won - won), closed: Math.max(0, totals.closed - closed) }
  const baseline_win_rate = rateOf(Math.min(others.won, others.closed), others.closed)
  return {
    item_id,
    won,
    lost: closed - won,
    win_rate,
    wilson_low: wilsonLowerBound(won, closed)!,
    baseline_win_rate,
    lift: baseline_win_rate === null ? null : toRate(win_rate - baseline_win_rate),
    won_amount: toMoney(won_amount_minor, currency),
    confidence: confidenceOf(closed),
  }
}

export type PublishedItem = { id: string; stages: string[]; industries: string[]; isStale: boolean }

/** Stages and industries with open deals for which no item, or only outdated ones, are published. */
export function findCoverageGaps(
  segments: readonly DealSegment[],
  items: readonly PublishedItem[],
  currency: string,
): Insights['coverage_gaps'] {
  const gaps = segments.flatMap((segment) => {
    if (segment.count < minOpenDeals) return []
    const matching = items.filter((item) => matchesSegment(item, segment.stage, segment.industry))
    const fresh = matching.filter(({ isStale }) => !isStale)
    if (fresh.length) return []
    const severity: 'high' | 'medium' = matching.length ? 'medium' : 'high'
    return [{ ...segment, items: matching.length, severity }]
  })
  return gaps
    .toSorted(
      (one, other) =>
        Number(one.severity === 'medium') - Number(other.severity === 'medium') ||
        other.amount_base_minor - one.amount_base_minor ||
        `${one.stage} ${one.industry}`.localeCompare(`${other.stage} ${other.industry}`, 'en'),
    )
    .slice(0, maxRows)
    .map(({ stage, industry, count, amount_base_minor, items: matching, severity }) => ({
      stage,
      industry,
      open_count: count,
      open_amount: toMoney(amount_base_minor, currency),
      items: matching,
      fresh_items: 0,
      severity,
    }))
}

/** Texts of deals and content are compared without upper case. */
const matchesSegment = ({ stages, industries }: PublishedItem, stage: string, industry: string): boolean =>
  includesText(stages, stage) && (industries.length === 0 || includesText(industries, industry))

const includesText = (values: readonly string[], text: string) =>
  values.some((value) => value.toLowerCase() === text.toLowerCase())

export const trendOf = (current: number, previous: number) => ({
  previous,
  trend_rate: previous === 0 ? null : toRate((current - previous) / previous),
})

export const averageOf = (sum: number, count: number): number | null =>
  count === 0 ? null : Math.round((sum / count) * 10) / 10

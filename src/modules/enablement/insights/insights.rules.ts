import type { DealFacts } from '#modules/crm'
import { toMoney } from '#platform/money'
import { confidenceOf, rateOf, toRate, wilsonLowerBound } from '../content-analytics/analytics.rules.ts'
import type { Insights } from './insights.schemas.ts'

const minClosedDeals = 5
const minOpenDeals = 3
const maxRows = 20

export type ContentWinFacts = Omit<Insights['content_wins'][number], 'item'> & { item_id: string }
type Influence = { item_id: string; opportunity_id: string }

/** Ranks items by the lower bound of their win rate, among items with enough closed deals. */
export function rankContentWins(
  influences: readonly Influence[],
  deals: readonly DealFacts[],
  currency: string,
): ContentWinFacts[] {
  const closed = new Map(deals.filter(({ kind }) => kind !== 'open').map((deal) => [deal.id, deal]))
  const totalWon = [...closed.values()].filter(({ kind }) => kind === 'won').length
  return [...Map.groupBy(influences, ({ item_id }) => item_id)]
    .map(([item_id, rows]) => ({
      item_id,
      own: rows.flatMap(({ opportunity_id }) => closed.get(opportunity_id) ?? []),
    }))
    .filter(({ own }) => own.length >= minClosedDeals)
    .map(({ item_id, own }) => toContentWin(item_id, own, { won: totalWon, closed: closed.size, currency }))
    .toSorted((one, other) => other.wilson_low - one.wilson_low || (one.item_id < other.item_id ? -1 : 1))
    .slice(0, maxRows)
}

type Totals = { won: number; closed: number; currency: string }

function toContentWin(item_id: string, own: readonly DealFacts[], totals: Totals): ContentWinFacts {
  const wonDeals = own.filter(({ kind }) => kind === 'won')
  const won = wonDeals.length
  const win_rate = toRate(won / own.length)
  const baseline_win_rate = rateOf(totals.won - won, totals.closed - own.length)
  return {
    item_id,
    won,
    lost: own.length - won,
    win_rate,
    wilson_low: wilsonLowerBound(won, own.length)!,
    baseline_win_rate,
    lift: baseline_win_rate === null ? null : toRate(win_rate - baseline_win_rate),
    won_amount: toMoney(sumAmounts(wonDeals), totals.currency),
    confidence: confidenceOf(own.length),
  }
}

const sumAmounts = (deals: readonly DealFacts[]) =>
  deals.reduce((sum, { amount_base_minor }) => sum + (amount_base_minor ?? 0), 0)

export type PublishedItem = { id: string; stages: string[]; industries: string[]; isStale: boolean }

/** Stages and industries with open deals for which no item, or only outdated ones, are published. */
export function findCoverageGaps(
  deals: readonly DealFacts[],
  items: readonly PublishedItem[],
  currency: string,
): Insights['coverage_gaps'] {
  const open = deals.filter(({ kind, industry }) => kind === 'open' && industry)
  const groups = Map.groupBy(open, ({ stage_key, industry }) => JSON.stringify([stage_key, industry]))
  const gaps = [...groups].flatMap(([key, group]) => {
    if (group.length < minOpenDeals) return []
    const [stage, industry] = JSON.parse(key) as [string, string]
    const matching = items.filter((item) => matchesSegment(item, stage, industry))
    const fresh = matching.filter(({ isStale }) => !isStale)
    if (fresh.length) return []
    const severity: 'high' | 'medium' = matching.length ? 'medium' : 'high'
    return [{ stage, industry, group, amount: sumAmounts(group), items: matching.length, severity }]
  })
  return gaps
    .toSorted(
      (one, other) =>
        Number(one.severity === 'medium') - Number(other.severity === 'medium') ||
        other.amount - one.amount ||
        `${one.stage} ${one.industry}`.localeCompare(`${other.stage} ${other.industry}`, 'en'),
    )
    .slice(0, maxRows)
    .map(({ stage, industry, group, amount, items: count, severity }) => ({
      stage,
      industry,
      open_count: group.length,
      open_amount: toMoney(amount, currency),
      items: count,
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

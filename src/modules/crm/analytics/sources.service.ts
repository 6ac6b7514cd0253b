import type { TenantTx } from '#platform/db'
import { toMoney } from '#platform/money'
import type { Channel } from '../leads/sources.schemas.ts'
import { baseCurrencyOf } from '../settings/crm-settings.queries.ts'
import { readSourceSums } from './analytics.queries.ts'
import type { SourceReturn, SourcesQuery } from './analytics.schemas.ts'
import { assertOrder } from './days.rules.ts'
import { rateOf, returnOf, shareOf } from './figures.rules.ts'
import { listSourcesWithSpend } from './spend.queries.ts'
import { nothing, openOf, type Totals, totalsByKey } from './tallies.rules.ts'

/** Where leads come from, what became of them and what they cost, the richest source first. */
export async function listSources(tx: TenantTx, { from, to, include_inactive }: SourcesQuery, now: Date) {
  if (from !== undefined && to !== undefined) assertOrder(from, to)
  const sums = totalsByKey(await readSourceSums(tx, { span: { from, to }, now }), 'source')
  const all = await sourceReturns(tx, sums, { from, to }, await baseCurrencyOf(tx))
  const items = all.filter(({ is_active }) => include_inactive || is_active)
  return { items, total: items.length }
}

/** All sources with what is known of them. */
export async function sourceReturns(
  tx: TenantTx,
  sums: ReadonlyMap<string, Totals>,
  span: { from?: string; to?: string },
  currency: string,
): Promise<SourceReturn[]> {
  const sources = await listSourcesWithSpend(tx, span)
  return sources
    .map((source) => showReturn(source, sums.get(source.key) ?? nothing, currency))
    .sort((one, other) => other.leads - one.leads || (one.key < other.key ? -1 : 1))
}

type Source = Awaited<ReturnType<typeof listSourcesWithSpend>>[number]

function showReturn({ cost, channel, ...source }: Source, of: Totals, currency: string): SourceReturn {
  const [won, spent] = [of.won_base_minor, BigInt(cost)]
  const each = shareOf(spent, of.leads)
  return {
    ...source,
    channel: channel as Channel,
    leads: of.leads,
    open: openOf(of),
    converted: of.converted_n,
    conversion_rate: rateOf(of.converted_n, of.leads),
    won_amount: toMoney(won, currency),
    cost: toMoney(spent, currency),
    cost_per_lead: each === null ? null : toMoney(each, currency),
    roi: returnOf(won, spent),
  }
}

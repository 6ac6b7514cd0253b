import { baseCurrencyOf } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { toMoney } from '#platform/money'
import type { LeadSourceChannel } from '../../people/lead-sources/lead-sources.schemas.ts'
import { assertDateOrder } from '../../records/filters/list-filter.rules.ts'
import { listSourcesWithSpend, readSourceSums } from './analytics.queries.ts'
import type { SourceReturn, SourcesQuery } from './analytics.schemas.ts'
import { calculateRoi, divideMinorUnits, rateOf } from './metrics.rules.ts'
import { emptyTotals, type LeadTotals, openLeadsOf, totalsByKey } from './rollup-columns.rules.ts'

export async function listLeadSources(tx: TenantTx, { from, to, include_inactive }: SourcesQuery, now: Date) {
  assertDateOrder(from, to)
  const totals = totalsByKey(await readSourceSums(tx, { range: { from, to }, now }), 'source')
  const all = await listSourceReturns(tx, totals, { from, to }, await baseCurrencyOf(tx))
  const items = all.filter(({ is_active }) => include_inactive || is_active)
  return { items, total: items.length }
}

export async function listSourceReturns(
  tx: TenantTx,
  totals: ReadonlyMap<string, LeadTotals>,
  range: { from?: string; to?: string },
  currency: string,
): Promise<SourceReturn[]> {
  const sources = await listSourcesWithSpend(tx, range)
  return sources
    .map((source) => toSourceReturn(source, totals.get(source.key) ?? emptyTotals, currency))
    .sort((one, other) => other.leads - one.leads || (one.key < other.key ? -1 : 1))
}

type Source = Awaited<ReturnType<typeof listSourcesWithSpend>>[number]

function toSourceReturn({ cost, channel, ...source }: Source, totals: LeadTotals, currency: string): SourceReturn {
  const [won, spent] = [totals.won_base_minor, BigInt(cost)]
  const costPerLead = divideMinorUnits(spent, totals.leads)
  return {
    ...source,
    channel: channel as LeadSourceChannel,
    leads: totals.leads,
    open: openLeadsOf(totals),
    converted: totals.converted_n,
    conversion_rate: rateOf(totals.converted_n, totals.leads),
    won_amount: toMoney(won, currency),
    cost: toMoney(spent, currency),
    cost_per_lead: costPerLead === null ? null : toMoney(costPerLead, currency),
    roi: calculateRoi(won, spent),
  }
}

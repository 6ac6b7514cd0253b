import { type DealOutcome, listDealOutcomes } from '#modules/crm'
import { readSettings } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { toMoney } from '#platform/money'
import { confidenceOf, rateOf, wilsonLowerBound } from '#platform/statistics'
import { readContentSettings } from '../content/content-settings.ts'
import { filterInfluencedDeals, listViewedDealIds } from './analytics.queries.ts'
import { toInfluenceWindow } from './analytics.rules.ts'
import type { ContentAnalytics } from './analytics.schemas.ts'

/** A deal is influenced by a view of its buyer between its creation and its close, within the attribution window. */
export async function readInfluence(tx: TenantTx, itemId: string, now: Date): Promise<ContentAnalytics['influenced']> {
  const [{ currency }, { attribution_window_days }] = await Promise.all([
    readSettings(tx, 'general'),
    readContentSettings(tx),
  ])
  const deals = await listDealOutcomes(tx, await listViewedDealIds(tx, itemId))
  const windows = deals.map((deal) => toInfluenceWindow(deal, { windowDays: attribution_window_days, now }))
  const influencedIds = windows.length ? await filterInfluencedDeals(tx, itemId, windows) : new Set<string>()
  const ofKind = (kind: DealOutcome['kind']) => deals.filter((deal) => deal.kind === kind && influencedIds.has(deal.id))
  const won = ofKind('won')
  const lost = ofKind('lost').length
  const sample = won.length + lost
  const wonMinor = won.reduce((sum, { amount_base_minor }) => sum + (amount_base_minor ?? 0), 0)
  return {
    open: ofKind('open').length,
    won: won.length,
    lost,
    won_amount: toMoney(wonMinor, currency),
    win_rate: rateOf(won.length, sample),
    wilson_low: wilsonLowerBound(won.length, sample),
    sample,
    confidence: confidenceOf(sample),
  }
}

import { findDealCards } from '#modules/crm'
import { baseCurrencyOf } from '#modules/identity'
import type { Page, TenantTx } from '#platform/db'
import { moneyOf, toMoney } from '#platform/money'
import { getCampaignRow } from '../campaigns/campaigns.queries.ts'
import type { InfluencedOpportunity, InfluencedQuery } from './attribution.schemas.ts'
import { listInfluencedRows } from './influenced-opportunities.queries.ts'

export async function listCampaignOpportunities(
  tx: TenantTx,
  campaignId: string,
  { kind, ...page }: InfluencedQuery,
): Promise<Page<InfluencedOpportunity>> {
  await getCampaignRow(tx, campaignId)
  const { items, ...rest } = await listInfluencedRows(tx, { campaignId, kind }, page)
  const [deals, currency] = await Promise.all([
    findDealCards(
      tx,
      items.map(({ opportunity_id }) => opportunity_id),
    ),
    baseCurrencyOf(tx),
  ])
  return {
    ...rest,
    items: items.map((touch) => {
      const deal = deals.get(touch.opportunity_id)!
      const { account_id, account_name } = deal
      return {
        opportunity: { id: deal.id, name: deal.name },
        account: account_name === null ? null : { id: account_id, name: account_name },
        amount: moneyOf(deal.amount_minor, deal.amount_currency),
        kind: touch.kind,
        touch_at: touch.touch_at,
        position: touch.position,
        of: touch.of,
        credit: {
          first_touch: toMoney(touch.first_minor, currency),
          last_touch: toMoney(touch.last_minor, currency),
          linear: toMoney(touch.linear_minor, currency),
        },
      }
    }),
  }
}

import { readSettings } from '#modules/identity'
import { startOfDay } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { moneyOf, toMoney } from '#platform/money'
import { type CampaignCounts, countColumns, countMembersByStatus } from '../campaigns/campaign-counts.queries.ts'
import { rateOf } from '../campaigns/campaign-results.rules.ts'
import { getCampaignRow, listSubtreeIds } from '../campaigns/campaigns.queries.ts'
import { costPer, returnOn } from './attribution.rules.ts'
import type { CampaignKpis } from './attribution.schemas.ts'
import { countMembersByWeek, sumCosts, sumTouches, type TouchSums } from './kpis.queries.ts'
import { listWeeks } from './weeks.rules.ts'

const noMembers = { added: 0, responded: 0 }
const noTouches = { deals: 0, amount: 0, first: 0, last: 0, linear: 0 }

export async function getCampaignKpis(
  tx: TenantTx,
  campaignId: string,
  { include_children }: { include_children: boolean },
  { clock }: Pick<Services, 'clock'>,
): Promise<CampaignKpis> {
  const campaign = await getCampaignRow(tx, campaignId)
  const ids = include_children ? await listSubtreeIds(tx, campaignId) : [campaignId]
  const { currency, timezone } = await readSettings(tx, 'general')
  const weeks = listWeeks(clock.now(), timezone)
  const starts = weeks.map((day) => startOfDay(day, timezone))
  const [counts, touches, { budget, cost }, byWeek] = await Promise.all([
    countMembersByStatus(tx, ids),
    sumTouches(tx, ids),
    sumCosts(tx, ids),
    countMembersByWeek(tx, ids, starts),
  ])
  const totals = sumCounts(counts)
  const sumsOf = (kind: TouchSums['kind']) => touches.find((sums) => sums.kind === kind) ?? noTouches
  const [open, won, lost] = [sumsOf('open'), sumsOf('won'), sumsOf('lost')]
  const money = (minor: number) => toMoney(minor, currency)
  const model = (name: 'first' | 'last' | 'linear') => ({
    won_amount: money(won[name]),
    open_amount: money(open[name]),
  })
  const { members, responded, ...reached } = totals
  const contacts = sumCounts(counts.filter(({ is_contact }) => is_contact)).members
  return {
    members,
    leads: members - contacts,
    contacts,
    responded,
    response_rate: rateOf(responded, members),
    by_status: byStatus(
      campaign.member_statuses.map(({ key }) => key),
      counts,
    ),
    ...reached,
    opportunities: {
      influenced: open.deals + won.deals + lost.deals,
      open: open.deals,
      won: won.deals,
      open_amount: money(open.amount),
      won_amount: money(won.amount),
    },
    attribution: { first_touch: model('first'), last_touch: model('last'), linear: model('linear') },
    budget: moneyOf(budget, currency),
    actual_cost: moneyOf(cost, currency),
    budget_used_rate: cost === null ? null : rateOf(cost, budget ?? 0),
    cost_per_lead: costPer(cost, totals.new_leads, currency),
    cost_per_response: costPer(cost, responded, currency),
    roi: returnOn(cost, won),
    by_week: weeks.map((bucket_on, index) => ({ bucket_on, ...(byWeek.get(index + 1) ?? noMembers) })),
    as_of: clock.now(),
  }
}

const sumCounts = (rows: readonly CampaignCounts[]): CampaignCounts =>
  Object.fromEntries(
    countColumns.map((name) => [name, rows.reduce((sum, row) => sum + row[name], 0)]),
  ) as CampaignCounts

/** Statuses of the campaign first, in their order; those of campaigns below it follow. */
function byStatus(keys: readonly string[], rows: readonly { status: string; members: number }[]) {
  const counts = new Map(keys.map((key) => [key, 0]))
  for (const { status, members } of rows) counts.set(status, (counts.get(status) ?? 0) + members)
  return Object.fromEntries(counts)
}

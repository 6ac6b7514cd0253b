import { findQuota, type HomeContext } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { addDays, dayInTimezone, fiscalQuarterOf } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { moneyOf, toMoney } from '#platform/money'
import { type HomeDeal, type HomeDeals, maxHomeItems } from './home.schemas.ts'
import { listClosingDealRows, sumDealsOfOwner } from './home-deals.queries.ts'

const closingDays = 30

export async function getHomeDeals(
  tx: TenantTx,
  { userId }: UserActor,
  { now, general: { timezone, currency, fiscal_year_start_month } }: HomeContext,
): Promise<HomeDeals> {
  const today = dayInTimezone(now, timezone)
  const closingUntil = addDays(today, closingDays)
  const quarter = fiscalQuarterOf(today, fiscal_year_start_month)
  const [sums, rows, quota] = await Promise.all([
    sumDealsOfOwner(tx, userId, { closingUntil, quarter }),
    listClosingDealRows(tx, userId, closingUntil, maxHomeItems),
    findQuota(tx, userId),
  ])
  const money = (minor: string) => toMoney(BigInt(minor), currency)
  return {
    open_count: sums.open_count,
    open_amount: money(sums.open),
    closing_amount: money(sums.closing),
    items: rows.map((row) => toHomeDeal(row, today)),
    forecast: {
      closed: money(sums.closed),
      commit: money(sums.commit),
      best_case: money(sums.best_case),
      quota: moneyOf(quota, currency),
    },
  }
}

type ClosingDealRow = Awaited<ReturnType<typeof listClosingDealRows>>[number]

const toHomeDeal = (row: ClosingDealRow, today: string): HomeDeal => ({
  id: row.id,
  name: row.name,
  account: row.account_name === null ? null : { id: row.account_id, name: row.account_name },
  stage_label: row.stage_label ?? row.stage_key,
  amount: moneyOf(row.amount_minor, row.amount_currency),
  close_on: row.close_on,
  is_overdue: row.close_on < today,
  next_step: row.next_step,
  version: row.version,
})

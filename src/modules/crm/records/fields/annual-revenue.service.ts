import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { type Money, toMinor } from '#platform/money'
import { type CurrencyRates, convertToBase, readCurrencyRates } from '../settings/crm-settings.service.ts'

export type AnnualRevenueColumns = {
  annual_revenue_minor: number | null
  annual_revenue_currency: string | null
  annual_revenue_base_minor: number | null
}

const noRevenue = { annual_revenue_minor: null, annual_revenue_currency: null, annual_revenue_base_minor: null }

export async function toAnnualRevenueColumns(tx: TenantTx, revenue: Money | null): Promise<AnnualRevenueColumns> {
  return revenue === null ? noRevenue : convertAnnualRevenue(revenue, await readCurrencyRates(tx, [revenue.currency]))
}

export function convertAnnualRevenue(revenue: Money | null, rates: CurrencyRates): AnnualRevenueColumns {
  if (revenue === null) return noRevenue
  const { currency } = revenue
  const path = '/annual_revenue'
  const amount_minor = toMinor(revenue, currency, path)
  if (amount_minor < 0) throw invalid('body', `${path}/amount`, 'minimum', '`annual_revenue` must not be negative.')
  return {
    annual_revenue_minor: amount_minor,
    annual_revenue_currency: currency,
    annual_revenue_base_minor: convertToBase(rates, { amount_minor, currency }, path),
  }
}

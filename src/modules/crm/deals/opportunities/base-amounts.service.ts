import { lockCurrencyShared } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { type Money, toMinor } from '#platform/money'
import { readCrmSettings } from '../../records/settings/crm-settings.queries.ts'
import { convertMinor } from '../../records/settings/crm-settings.rules.ts'
import { toBaseMinor } from '../../records/settings/crm-settings.service.ts'
import {
  type ForeignCurrencyDeal,
  lockForeignCurrencyDeals,
  type OpportunityRow,
  updateBaseAmounts,
} from './opportunities.queries.ts'

export async function toAmountColumns(tx: TenantTx, amount: Money | null) {
  if (amount === null) return { amount_minor: null, amount_currency: null, amount_base_minor: null }
  const { currency } = amount
  const amount_minor = toMinor(amount, currency, '/amount')
  if (amount_minor < 0) throw invalid('body', '/amount/amount', 'minimum', '`amount` must not be negative.')
  const amount_base_minor = await toBaseMinor(tx, { amount_minor, currency }, '/amount')
  return { amount_minor, amount_currency: currency, amount_base_minor }
}

/** Recalculates one batch of open deals at current exchange rates. Returns the next cursor, or null when done. */
export async function recalculateBaseAmountsBatch(
  tx: TenantTx,
  after: string | null,
): Promise<{ next: string; changed: number } | null> {
  const rates = await lockExchangeRates(tx)
  const deals = await lockForeignCurrencyDeals(tx, rates.base, after)
  if (!deals.length) return null
  const changed = deals.flatMap((deal) => {
    const amount_base_minor = rates.toBase(deal)
    return amount_base_minor === undefined || amount_base_minor === deal.amount_base_minor
      ? []
      : [{ id: deal.id, amount_base_minor }]
  })
  if (changed.length) await updateBaseAmounts(tx, changed)
  return { next: deals.at(-1)!.id, changed: changed.length }
}

/** Base amount at current rates; unchanged if there is no rate for the currency. */
export async function toCurrentBaseAmount(tx: TenantTx, { amount_minor, amount_currency }: OpportunityRow) {
  if (amount_minor === null || amount_currency === null) return {}
  const amount_base_minor = (await lockExchangeRates(tx)).toBase({ amount_minor, amount_currency })
  return amount_base_minor === undefined ? {} : { amount_base_minor }
}

async function lockExchangeRates(tx: TenantTx) {
  const base = await lockCurrencyShared(tx)
  const { currency_rates } = await readCrmSettings(tx)
  const toBase = ({ amount_minor, amount_currency }: Pick<ForeignCurrencyDeal, 'amount_minor' | 'amount_currency'>) => {
    if (amount_currency === base) return amount_minor
    if (!Object.hasOwn(currency_rates, amount_currency)) return undefined
    const converted = convertMinor(amount_minor, amount_currency, base, currency_rates[amount_currency]!)
    return Number.isSafeInteger(converted) ? converted : undefined
  }
  return { base, toBase }
}

import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { type Money, toMinor } from '#platform/money'
import { toBaseMinor } from '../settings/currency.service.ts'

/** The columns of what a deal is worth, as it was said and in the base currency. */
export async function amountFields(tx: TenantTx, amount: Money | null) {
  if (amount === null) return { amount_minor: null, amount_currency: null, amount_base_minor: null }
  const { currency } = amount
  const amount_minor = toMinor(amount, currency, '/amount')
  if (amount_minor < 0) throw invalid('body', '/amount/amount', 'minimum', 'A deal is not worth less than nothing.')
  const amount_base_minor = await toBaseMinor(tx, { amount_minor, currency }, '/amount')
  return { amount_minor, amount_currency: currency, amount_base_minor }
}

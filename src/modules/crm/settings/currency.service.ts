import { holdCurrency } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { AppError, invalid } from '#platform/errors'
import { readCrmSettings } from './crm-settings.queries.ts'
import { convertMinor } from './currency.rules.ts'

type Amount = { amount_minor: number; currency: string }

/** What an amount is worth in the base currency, which cannot change until it is stored. `path` is where it stands in the body. */
export async function toBaseMinor(tx: TenantTx, { amount_minor, currency }: Amount, path: string): Promise<number> {
  const base = await holdCurrency(tx)
  if (currency === base) return amount_minor
  const { currency_rates } = await readCrmSettings(tx)
  const rate = Object.hasOwn(currency_rates, currency) ? currency_rates[currency] : undefined
  if (rate === undefined) throw noExchangeRate(currency, path)
  const converted = convertMinor(amount_minor, currency, base, rate)
  if (!Number.isSafeInteger(converted)) throw invalid('body', `${path}/amount`, 'range', 'The amount is too large.')
  return converted
}

function noExchangeRate(currency: string, path: string): AppError {
  const message = `There is no rate for ${currency}. Add one to currency_rates of the CRM settings, or use another currency.`
  const error = { in: 'body', path: `${path}/currency`, code: 'no_exchange_rate', message }
  return new AppError(422, 'no_exchange_rate', message, { extra: { errors: [error] } })
}

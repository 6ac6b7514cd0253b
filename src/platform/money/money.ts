import { type Static, Type } from 'typebox'
import { type InputError, invalid } from '#platform/errors'
import { named, strict } from '#platform/schema'
import { currencyDigits } from './currencies.ts'

/** On the wire a decimal string, so that no reader rounds it; in the database whole minor units. */
export const Money = named(
  'Money',
  strict({
    amount: Type.String({ pattern: '^-?(0|[1-9]\\d{0,15})(\\.\\d{1,6})?$', maxLength: 24, examples: ['1250.00'] }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', minLength: 3, maxLength: 3, examples: ['EUR'] }),
  }),
)
export type Money = Static<typeof Money>

/** `path` is where the amount stands in the body. Refuses another currency, and more decimals than the currency has. */
export function toMinor({ amount, currency }: Money, expectedCurrency: string, path: string): number {
  if (currency !== expectedCurrency)
    throw invalid('body', `${path}/currency`, 'currency', `Give the amount in ${expectedCurrency}.`)
  return countMinor(amount, currency, { in: 'body', path: `${path}/amount` })
}

/** The same for an amount that stands alone, such as a filter in the currency of the workspace. */
export function countMinor(
  amount: string,
  currency: string,
  { in: where, path }: Pick<InputError, 'in' | 'path'>,
): number {
  const digits = currencyDigits(currency)
  const [whole = '', decimals = ''] = amount.split('.')
  if (decimals.length > digits)
    throw invalid(where, path, 'digits', `An amount in ${currency} has at most ${digits} decimals.`)
  const minor = Number(whole + decimals.padEnd(digits, '0'))
  if (!Number.isSafeInteger(minor)) throw invalid(where, path, 'range', 'The amount is too large.')
  return minor + 0
}

/** A sum may be larger than a number holds exactly. */
export function toMoney(minor: number | bigint, currency: string): Money {
  const digits = currencyDigits(currency)
  const figures = String(minor)
    .replace('-', '')
    .padStart(digits + 1, '0')
  const whole = figures.slice(0, figures.length - digits)
  const amount = digits === 0 ? whole : `${whole}.${figures.slice(-digits)}`
  return { amount: minor < 0 ? `-${amount}` : amount, currency }
}

/** What the two columns of an amount say together, if there is one. */
export const moneyOf = (minor: number | null, currency: string | null): Money | null =>
  minor === null || currency === null ? null : toMoney(minor, currency)

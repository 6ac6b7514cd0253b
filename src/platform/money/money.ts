import { type Static, Type } from 'typebox'
import { type InputError, invalid, toFieldName } from '#platform/errors'
import { named, strict } from '#platform/schema'

/** ISO 4217 minor digits other than two. Not taken from Intl, because a runtime update could change stored amounts. */
const exceptions: Readonly<Record<string, number>> = {
  ...perCurrency('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 0),
  ...perCurrency('BHD IQD JOD KWD LYD OMR TND', 3),
  ...perCurrency('CLF UYW', 4),
}

export const currencyDigits = (currency: string): number => exceptions[currency] ?? 2

const knownCurrencies = new Set(Intl.supportedValuesOf('currency'))

export const isCurrency = (code: string): boolean => knownCurrencies.has(code)

function perCurrency(codes: string, digits: number): Record<string, number> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, digits]))
}

/** A decimal string on the wire, so that clients do not round it; integer minor units in the database. */
export const Money = named(
  'Money',
  strict({
    amount: Type.String({ pattern: '^-?(0|[1-9]\\d{0,15})(\\.\\d{1,6})?$', maxLength: 24, examples: ['1250.00'] }),
    currency: Type.String({ pattern: '^[A-Z]{3}$', minLength: 3, maxLength: 3, examples: ['EUR'] }),
  }),
)
export type Money = Static<typeof Money>

export function toMinor({ amount, currency }: Money, expectedCurrency: string, path: string): number {
  if (currency !== expectedCurrency)
    throw invalid(
      'body',
      `${path}/currency`,
      'currency',
      `\`${toFieldName(`${path}/currency`)}\` must be ${expectedCurrency}.`,
    )
  return parseAmount(amount, currency, { in: 'body', path: `${path}/amount` })
}

export function parseAmount(
  amount: string,
  currency: string,
  { in: where, path }: Pick<InputError, 'in' | 'path'>,
): number {
  const digits = currencyDigits(currency)
  const [whole = '', decimals = ''] = amount.split('.')
  if (decimals.length > digits)
    throw invalid(
      where,
      path,
      'digits',
      `\`${toFieldName(path)}\` must have at most ${digits} decimals in ${currency}.`,
    )
  const minor = Number(whole + decimals.padEnd(digits, '0'))
  if (!Number.isSafeInteger(minor)) throw invalid(where, path, 'range', `\`${toFieldName(path)}\` is too large.`)
  return minor + 0
}

/** Accepts bigint, because totals can exceed the safe integer range. */
export function toMoney(minor: number | bigint, currency: string): Money {
  const digits = currencyDigits(currency)
  const figures = String(minor)
    .replace('-', '')
    .padStart(digits + 1, '0')
  const whole = figures.slice(0, figures.length - digits)
  const amount = digits === 0 ? whole : `${whole}.${figures.slice(-digits)}`
  return { amount: minor < 0 ? `-${amount}` : amount, currency }
}

export const moneyOf = (minor: number | null, currency: string | null): Money | null =>
  minor === null || currency === null ? null : toMoney(minor, currency)

/** Normalizes an amount: 5000 and 5000.00 are equal. */
export const normalizeMoney = (money: Money | null, path: string): Money | null =>
  money && toMoney(toMinor(money, money.currency, path), money.currency)

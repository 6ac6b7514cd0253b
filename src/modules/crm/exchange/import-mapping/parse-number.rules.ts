import { isCurrency } from '#platform/money'

export const maxFormattedLength = 40

export function normalizeNumber(text: string, isEuropean: boolean): string | undefined {
  if (text.length > maxFormattedLength) return undefined
  const compact = text.trim().replace(/[\s\u00a0\u202f'’]/g, '')
  const plain = isEuropean ? removeDots(compact).replace(',', '.') : removeThousands(compact)
  return /^[+-]?\d+(\.\d+)?$/.test(plain) ? plain : undefined
}

/** A comma is accepted only where it separates thousands; another one could be a decimal comma. */
const removeThousands = (text: string): string =>
  /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text

/** A dot in a number with a decimal comma separates thousands. Another one makes the number invalid. */
const removeDots = (text: string): string => {
  if (/^[+-]?\d{1,3}(\.\d{3})+(,\d+)?$/.test(text)) return text.replaceAll('.', '')
  return text.includes('.') ? '' : text
}

const moneyPattern = /^([A-Za-z]{3})?([^A-Za-z]*)([A-Za-z]{3})?$/
const symbols: Record<string, string> = { '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR' }
const dollars = ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD']

/** Reads an amount with or without a currency. A dollar sign is the dollar of the workspace, if it has one. */
export function readMoney(text: string, isEuropean: boolean, defaultCurrency: string) {
  const symbol = [...'€£¥₹$'].find((candidate) => text.includes(candidate))
  const dollar = dollars.includes(defaultCurrency) ? defaultCurrency : 'USD'
  const ofSymbol = symbol && (symbol === '$' ? dollar : symbols[symbol])
  const plain = symbol ? text.replace(symbol, '') : text
  const [, before, number = '', after] = moneyPattern.exec(plain.trim()) ?? []
  const amount = normalizeNumber(number, isEuropean)
  if (amount === undefined || (before && after)) return undefined
  const currency = (before ?? after ?? ofSymbol ?? defaultCurrency).toUpperCase()
  return { amount: amount.replace(/^\+/, ''), currency: isCurrency(currency) ? currency : null }
}

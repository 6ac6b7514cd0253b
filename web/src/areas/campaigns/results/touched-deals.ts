import type { TouchedDeal } from '../campaign-queries.ts'
import { type Model, models } from '../campaign-search.ts'

type Money = { amount: string; currency: string }

/** Adds decimal numbers without rounding them. */
export function sumAmounts(amounts: readonly Money[]): Money | undefined {
  const currency = amounts[0]?.currency
  if (!currency) return undefined
  const digits = Math.max(...amounts.map(({ amount }) => fractionOf(amount).length))
  const toUnits = (amount: string) => BigInt(amount.split('.')[0]! + fractionOf(amount).padEnd(digits, '0'))
  const text = String(amounts.reduce((sum, { amount }) => sum + toUnits(amount), 0n)).padStart(digits + 1, '0')
  const at = text.length - digits
  return { amount: digits ? `${text.slice(0, at)}.${text.slice(at)}` : text, currency }
}

const fractionOf = (amount: string): string => amount.split('.')[1] ?? ''

/** The deals of which a model gives the campaign a share. */
export const filterByModel = (deals: readonly TouchedDeal[], model: Model | undefined): readonly TouchedDeal[] =>
  model ? deals.filter(({ credit }) => Number(credit[model].amount) > 0) : deals

/** The sum of each model over the deals. */
export const sumCredits = (deals: readonly TouchedDeal[]) =>
  Object.fromEntries(models.map((model) => [model, sumAmounts(deals.map(({ credit }) => credit[model]))])) as Record<
    Model,
    Money | undefined
  >

const mostDots = 6

/** The touches of a deal as dots, of which one is the campaign. Of many touches the ones around it are shown. */
export function listDots({ position, of }: Pick<TouchedDeal, 'position' | 'of'>): readonly boolean[] {
  const count = Math.min(of, mostDots)
  const start = Math.max(0, Math.min(position - Math.ceil(count / 2), of - count))
  return Array.from({ length: count }, (_, at) => start + at + 1 === position)
}

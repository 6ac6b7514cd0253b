import { type Money, toMoney } from '#platform/money'

/** Four decimals, half up; null without a denominator. */
export const rateOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000

/** Rounded half up to minor units; null without a cost or without anything to divide by. */
export const costPer = (costMinor: number | null, count: number, currency: string): Money | null =>
  costMinor === null || count === 0 ? null : toMoney(Math.round(costMinor / count), currency)

type Revenue = { first: number; last: number; linear: number }

export function returnOn(costMinor: number | null, { first, last, linear }: Revenue) {
  if (!costMinor) return null
  const roi = (revenue: number) => rateOf(revenue - costMinor, costMinor)!
  return { first_touch: roi(first), last_touch: roi(last), linear: roi(linear) }
}

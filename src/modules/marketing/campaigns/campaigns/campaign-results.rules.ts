/** Four decimals, half up; null without a denominator. */
export const rateOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000

/** Null without a cost. */
export const returnOnCost = (revenueMinor: number, costMinor: number | null): number | null =>
  costMinor ? rateOf(revenueMinor - costMinor, costMinor) : null

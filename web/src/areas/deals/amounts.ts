import { dealTexts } from '../../texts/en/deal-texts.ts'
import { formatMoney } from '../../ui/format.ts'

type Money = { amount: string; currency: string }

/** Adds an amount of the same currency. The server calculates exactly; this is shown until its response arrives. */
export function addMoney({ amount, currency }: Money, other: Money | null, sign: 1 | -1): Money {
  const digits = amount.split('.')[1]?.length ?? 0
  return { amount: (Number(amount) + sign * Number(other?.amount ?? 0)).toFixed(digits), currency }
}

export const formatAmount = ({ amount }: { amount: Money | null }, locale: string): string =>
  amount ? formatMoney(amount, locale) : dealTexts.noAmount

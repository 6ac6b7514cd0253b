import { changedFields } from '#platform/diff'
import { type Money, toMinor, toMoney } from '#platform/money'

/** Returns the changes that differ from `before`, the record in its API form, with custom fields merged by key. */
export function changedRecordFields<Changes extends { custom?: object }>(
  before: { custom: unknown },
  changes: Changes,
): Partial<Changes> {
  const { custom } = changes
  if (!custom) return changedFields(before, changes)
  return changedFields(before, { ...changes, custom: mergeCustomFields(before.custom as object, custom) })
}

export const nonEmptyFields = (input: object): string[] =>
  Object.entries(input).flatMap(([field, value]) => (value === null || value === undefined ? [] : [field]))

/** Merges custom fields by key; null removes a value. */
function mergeCustomFields(before: object, changes: object): Record<string, unknown> {
  const merged = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null)
  return Object.fromEntries(merged)
}

/** Normalizes an amount: 5000 and 5000.00 are equal. */
export const normalizeMoney = (money: Money | null, path: string): Money | null =>
  money && toMoney(toMinor(money, money.currency, path), money.currency)

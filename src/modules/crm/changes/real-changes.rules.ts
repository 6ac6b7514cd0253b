import { isDeepStrictEqual } from 'node:util'
import { type Money, toMinor, toMoney } from '#platform/money'

/** Of what was asked for, what changes something. `before` is the record as people see it. */
export function realChanges<Changes extends { custom?: object }>(
  before: { custom: unknown },
  changes: Changes,
): Partial<Changes> {
  const { custom } = changes
  const after = custom ? { ...changes, custom: mergeCustom(before.custom as object, custom) } : changes
  const known: Record<string, unknown> = before
  const differing = Object.entries(after).filter(([field, value]) => !isDeepStrictEqual(known[field], value))
  return Object.fromEntries(differing) as Partial<Changes>
}

/** The fields somebody gave a value for. */
export const givenFields = (input: object): string[] =>
  Object.entries(input).flatMap(([field, value]) => (value === null || value === undefined ? [] : [field]))

/** Values of added fields are laid over those there are, key by key; null clears one. */
export function mergeCustom(before: object, changes: object): Record<string, unknown> {
  const merged = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null)
  return Object.fromEntries(merged)
}

/** As it is shown: 5000 and 5000.00 are the same amount. */
export const asShown = (money: Money | null, path: string): Money | null =>
  money && toMoney(toMinor(money, money.currency, path), money.currency)

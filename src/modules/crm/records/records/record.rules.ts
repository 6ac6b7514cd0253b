import { isTimeZone } from '#platform/calendar'
import { changedFields } from '#platform/diff'
import { invalid } from '#platform/errors'
import { type Money, toMinor, toMoney } from '#platform/money'

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

type Place = { country?: string | null; timezone?: string | null }

/** `path` is the JSON pointer of the object that has these fields. */
export function assertValidCountryAndTimezone({ country, timezone }: Place, path = ''): void {
  if (country && !regions.of(country))
    throw invalid('body', `${path}/country`, 'unknown', '`country` must be an ISO 3166-1 alpha-2 code, such as DE.')
  if (timezone && !isTimeZone(timezone))
    throw invalid('body', `${path}/timezone`, 'unknown', '`timezone` must be an IANA time zone, such as Europe/Berlin.')
}

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

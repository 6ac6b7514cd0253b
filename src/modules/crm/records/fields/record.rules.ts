import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { isTimeZone } from '#platform/calendar'
import { daysLater } from '#platform/clock'
import { changedFields } from '#platform/diff'
import { invalid, notFound, roleRequired } from '#platform/errors'

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

export const restorableDays = 30

type Deletable = { deleted_at: Date | null; deleted_by: string | null; merged_into_id?: string | null }

/** Managers and the user who deleted a record may restore it. Merged records are restored by undoing the merge. */
export function assertRecordRestorable<Row extends Deletable>(
  { role, userId }: UserActor,
  record: Row | undefined,
  type: string,
  now: Date,
): Row {
  const since = daysLater(now, -restorableDays)
  if (!record?.deleted_at || record.deleted_at <= since || record.merged_into_id) throw notFound(`deleted ${type}`)
  if (!isManagerOrAdmin(role) && record.deleted_by !== userId)
    throw roleRequired(`Only managers and the user who deleted the ${type} may restore it.`)
  return record
}

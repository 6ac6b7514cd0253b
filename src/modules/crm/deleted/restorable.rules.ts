import type { SignedIn } from '#platform/access'
import { daysLater } from '#platform/clock'
import { notFound, roleRequired } from '#platform/errors'

/** How long what was deleted can be brought back. */
export const restorableDays = 30

type Deletable = { deleted_at: Date | null; deleted_by: string | null; merged_into_id?: string | null }

/** Whoever deleted a record may take that back, and so may managers. What was merged away comes back by undoing the merge. */
export function assertRestorable<Row extends Deletable>(
  { role, userId }: SignedIn,
  record: Row | undefined,
  type: string,
  now: Date,
): Row {
  const since = daysLater(now, -restorableDays)
  if (!record?.deleted_at || record.deleted_at <= since || record.merged_into_id) throw notFound(`deleted ${type}`)
  const isManager = role === 'admin' || role === 'manager'
  if (!isManager && record.deleted_by !== userId)
    throw roleRequired(`Only managers, and whoever deleted the ${type}, may restore it.`)
  return record
}

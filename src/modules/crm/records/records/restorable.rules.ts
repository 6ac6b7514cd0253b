import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { notFound, roleRequired } from '#platform/errors'

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

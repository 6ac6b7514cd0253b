import { timezoneOf } from '#modules/identity'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { listLeadDates, updateCreatedOnRows } from './created-on.queries.ts'

/** Recomputes `created_on` of one batch of leads in the current time zone. Returns the next cursor, or null when done. */
export async function recomputeCreatedOnBatch(
  tx: TenantTx,
  after: string,
): Promise<{ next: string; changed: number } | null> {
  const timezone = await timezoneOf(tx)
  const leads = await listLeadDates(tx, after)
  const changes = leads.flatMap(({ id, created_at, created_on }) => {
    const day = dayInTimezone(created_at.getTime(), timezone)
    return day === created_on ? [] : [{ id, created_on: day }]
  })
  if (changes.length) await updateCreatedOnRows(tx, changes)
  const last = leads.at(-1)
  return last ? { next: last.id, changed: changes.length } : null
}

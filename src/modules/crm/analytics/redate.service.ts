import { dayAt } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { timezoneOf } from '../settings/crm-settings.queries.ts'
import { readDates, storeDates } from './redate.queries.ts'

/** Says anew on which day some leads were created. Gives back where to go on, or nothing when all are done. */
export async function redateSome(tx: TenantTx, after: string): Promise<{ next: string; changed: number } | null> {
  const timezone = await timezoneOf(tx)
  const leads = await readDates(tx, after)
  const moved = leads.flatMap(({ id, created_at, created_on }) => {
    const day = dayAt(created_at.getTime(), timezone)
    return day === created_on ? [] : [{ id, created_on: day }]
  })
  if (moved.length) await storeDates(tx, moved)
  const last = leads.at(-1)
  return last ? { next: last.id, changed: moved.length } : null
}

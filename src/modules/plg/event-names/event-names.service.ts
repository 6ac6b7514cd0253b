import { addDays, dayInTimezone } from '#platform/calendar'
import type { Page, TenantTx } from '#platform/db'
import { readUsage } from '../states/read-usage.service.ts'
import { listEventNameRows } from './event-names.queries.ts'
import type { EventNameEntry, EventNameQuery } from './event-names.schemas.ts'

export async function listEventNames(tx: TenantTx, query: EventNameQuery, now: Date): Promise<Page<EventNameEntry>> {
  const { generation, timezone, settings } = await readUsage(tx)
  const since = addDays(dayInTimezone(now, timezone), -29)
  const page = await listEventNameRows(tx, { search: query.search, generation, since }, query)
  return {
    ...page,
    items: page.items.map((row) => ({ ...row, inactive: settings.inactive_events.includes(row.name) })),
  }
}

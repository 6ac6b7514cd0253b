import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type EventScan, redactEventTable } from '#platform/outbox'

const deliveries = {
  name: sql`operations.webhook_deliveries`,
  data: sql`event -> 'data'`,
  subjectId: sql`event -> 'subject' ->> 'id'`,
  assign: (data: RawBuilder<unknown>) => sql`event = jsonb_set(event, '{data}', ${data})`,
}

export const redactDeliveries = (tx: TenantTx, scan: EventScan) => redactEventTable(tx, deliveries, scan)

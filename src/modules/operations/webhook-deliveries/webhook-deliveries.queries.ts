import { type RawBuilder, sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { type EventScan, redactEventTable } from '#platform/outbox'

export const deliveryColumns = [
  'id',
  'event_id',
  'event_type',
  'event',
  'state',
  'redelivery_of_id',
  'attempts',
  'next_attempt_at',
  'last_status',
  'last_error',
  'finished_at',
  'attempt_log',
] as const

export type NewDelivery = {
  id: string
  endpoint_id: string
  event_id: string
  event_type: string
  event: object
  next_attempt_at: Date
}

/** Leaves out deliveries that exist already. Returns the number of new ones. */
export async function insertDeliveries(tx: TenantTx, deliveries: readonly NewDelivery[]): Promise<number> {
  if (!deliveries.length) return 0
  const rows = deliveries.map((delivery) => ({ ...delivery, state: 'pending' }))
  const { columns, rows: selected } = selectRows(rows, {
    id: 'uuid',
    endpoint_id: 'uuid',
    event_id: 'uuid',
    event_type: 'text',
    event: 'jsonb',
    state: 'text',
    next_attempt_at: 'timestamptz',
  })
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('operations.webhook_deliveries')
    .columns(columns)
    .expression(selected)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows)
}

export type DeliveryRow = Awaited<ReturnType<typeof getDeliveryRow>>

export const getDeliveryRow = (tx: TenantTx, endpointId: string, id: string) =>
  tx
    .selectFrom('operations.webhook_deliveries')
    .select(deliveryColumns)
    .where('id', '=', id)
    .where('endpoint_id', '=', endpointId)
    .executeTakeFirstOrThrow(() => notFound('webhook delivery'))

type Redelivery = { id: string; of: string }

/** Copies the events of finished deliveries into new pending ones. */
export async function insertRedeliveries(tx: TenantTx, redeliveries: readonly Redelivery[], now: Date): Promise<void> {
  await sql`
    insert into operations.webhook_deliveries (id, endpoint_id, event_id, event_type, event, state, redelivery_of_id, next_attempt_at)
    select copy.id, d.endpoint_id, d.event_id, d.event_type, d.event, 'pending', coalesce(d.redelivery_of_id, d.id), ${now}
    from unnest(${redeliveries.map(({ id }) => id)}::uuid[], ${redeliveries.map(({ of }) => of)}::uuid[]) as copy (id, of_id)
    join operations.webhook_deliveries d on d.id = copy.of_id
    where d.id = any(${redeliveries.map(({ of }) => of)}::uuid[])
  `.execute(tx)
}

export type FinishedDelivery = {
  id: string
  event_id: string
  event_type: string
  endpoint_id: string
  event: string
  state: 'succeeded' | 'failed'
  attempts: number
  last_status: number | null
  last_error: string | null
  finished_at: Date
  attempt_log: string
}

export async function insertFinishedDelivery(tx: TenantTx, delivery: FinishedDelivery): Promise<void> {
  await tx.insertInto('operations.webhook_deliveries').values(delivery).execute()
}

const deliveries = {
  name: sql`operations.webhook_deliveries`,
  data: sql`event -> 'data'`,
  subjectId: sql`event -> 'subject' ->> 'id'`,
  assign: (data: RawBuilder<unknown>) => sql`event = jsonb_set(event, '{data}', ${data})`,
}

export const redactDeliveries = (tx: TenantTx, scan: EventScan) => redactEventTable(tx, deliveries, scan)

type WebhookHealth = { endpoints: number; failing: number; pending: number; oldest_pending_age_seconds: number | null }

export async function readWebhookHealth(tx: TenantTx): Promise<WebhookHealth> {
  const { rows } = await sql<WebhookHealth>`
    select endpoints.*, pending.* from
      (select count(*) filter (where status = 'enabled') as endpoints,
         count(*) filter (where breaker = 'open' or disabled_reason = 'failing') as failing
       from operations.webhook_endpoints) endpoints,
      (select count(*) as pending, greatest(extract(epoch from now() - min(occurred_at)), 0)::float8 as oldest_pending_age_seconds
       from (select (event ->> 'occurred_at')::timestamptz as occurred_at from operations.webhook_deliveries
         where state = 'pending' limit 10000) waiting) pending
  `.execute(tx)
  return rows[0]!
}

type UnrecoveredFilter = { endpointId: string; states: readonly string[]; after: string; limit: number }

/** Lists unsuccessful first deliveries, unless a redelivery of them is pending or has succeeded. */
export async function listUnrecoveredDeliveries(tx: TenantTx, { endpointId, states, after, limit }: UnrecoveredFilter) {
  const { rows } = await sql<{ id: string; event_type: string }>`
    select delivery.id, delivery.event_type from operations.webhook_deliveries delivery
    where delivery.endpoint_id = ${endpointId} and delivery.id > ${after} and delivery.state in ('failed', 'skipped')
      and delivery.state = any(${states}::text[]) and delivery.redelivery_of_id is null
      and not exists (
        select from operations.webhook_deliveries redelivery
        where redelivery.redelivery_of_id = delivery.id and redelivery.state in ('pending', 'succeeded'))
    order by delivery.id
    limit ${limit}
  `.execute(tx)
  return rows
}

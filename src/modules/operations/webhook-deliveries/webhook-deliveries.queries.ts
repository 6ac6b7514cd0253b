import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'

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

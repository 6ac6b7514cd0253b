import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

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

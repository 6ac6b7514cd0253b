import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function deleteDeliveriesOfEndpoint(tx: TenantTx, endpointId: string): Promise<void> {
  await sql`delete from operations.webhook_deliveries where endpoint_id = ${endpointId}`.execute(tx)
}

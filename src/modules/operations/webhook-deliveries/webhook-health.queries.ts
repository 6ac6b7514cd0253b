import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

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

import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { endpointColumns } from '../webhook-endpoints/webhook-endpoints.queries.ts'

type Lease = { id: string; now: Date; until: Date }

/** Leases an enabled endpoint for one dispatcher; undefined if it is missing, disabled or leased by another one. */
export const leaseEndpoint = (tx: TenantTx, endpointId: string, { id, now, until }: Lease) =>
  tx
    .updateTable('operations.webhook_endpoints')
    .set({ lease_id: id, leased_until: until })
    .where('id', '=', endpointId)
    .where('status', '=', 'enabled')
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', now), eb('lease_id', '=', id)]))
    .returning(endpointColumns)
    .executeTakeFirst()

export async function findLeaseEnd(tx: TenantTx, endpointId: string): Promise<Date | null> {
  const row = await tx
    .selectFrom('operations.webhook_endpoints')
    .select('leased_until')
    .where('id', '=', endpointId)
    .where('status', '=', 'enabled')
    .executeTakeFirst()
  return row?.leased_until ?? null
}

export const releaseEndpoint = (tx: TenantTx, endpointId: string, leaseId: string) =>
  tx
    .updateTable('operations.webhook_endpoints')
    .set({ lease_id: null, leased_until: null })
    .where('id', '=', endpointId)
    .where('lease_id', '=', leaseId)
    .returning(['status', 'next_probe_at'])
    .executeTakeFirst()

export type DueDelivery = { id: string; event_id: string; event_type: string; event: unknown; attempts: number }

type DueFilter = { endpointId: string; now: Date; limit: number }

export async function listDueDeliveries(tx: TenantTx, { endpointId, now, limit }: DueFilter): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    select id, event_id, event_type, event, attempts
    from operations.webhook_deliveries
    where endpoint_id = ${endpointId} and state = 'pending' and next_attempt_at <= ${now}
    order by next_attempt_at, id
    limit ${limit}
  `.execute(tx)
  return rows
}

export async function markSkipped(tx: TenantTx, ids: readonly string[], now: Date): Promise<void> {
  await sql`
    update operations.webhook_deliveries set state = 'skipped', next_attempt_at = null, finished_at = ${now}
    where id = any(${ids}::uuid[]) and state = 'pending'
  `.execute(tx)
}

export async function findNextAttempt(tx: TenantTx, endpointId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ next_attempt_at: Date }>`
    select next_attempt_at from operations.webhook_deliveries
    where endpoint_id = ${endpointId} and state = 'pending' order by next_attempt_at, id limit 1
  `.execute(tx)
  return rows[0]?.next_attempt_at
}

export type AttemptResult = {
  id: string
  attempt: number
  state: 'pending' | 'succeeded' | 'failed'
  next_attempt_at: Date | null
  finished_at: Date | null
  status: number | null
  error: string | null
  log_entry: object
}

/** Ignores results of deliveries that were skipped or attempted by another dispatcher. */
export async function updateAttemptedDeliveries(tx: TenantTx, results: readonly AttemptResult[]): Promise<void> {
  await sql`
    update operations.webhook_deliveries delivery
    set state = result.state, attempts = result.attempt, next_attempt_at = result.next_attempt_at,
      finished_at = result.finished_at, last_status = result.status, last_error = result.error,
      attempt_log = delivery.attempt_log || result.log_entry
    from json_to_recordset(${JSON.stringify(results)}::json) as result (id uuid, attempt smallint, state text,
      next_attempt_at timestamptz, finished_at timestamptz, status smallint, error text, log_entry jsonb)
    where delivery.id = result.id and delivery.id = any(${results.map(({ id }) => id)}::uuid[])
      and delivery.state = 'pending' and delivery.attempts = result.attempt - 1
  `.execute(tx)
}

import { sql } from 'kysely'
import { inSystem, type SystemDb, type TenantTx } from '#platform/db'
import { minIdAt } from '#platform/ids'
import type { Metrics } from '#platform/telemetry'

export type OutboxStats = { pending: number; oldest_pending_age_seconds: number | null; published_1h: number }

export async function getOutboxStats(systemDb: SystemDb, tenantId?: string): Promise<OutboxStats> {
  const tenantFilter = tenantId ? sql`tenant_id = ${tenantId}` : sql`true`
  const { rows } = await inSystem(systemDb, (tx) =>
    sql<OutboxStats>`
      select
        (select count(*) from (
          select from platform.outbox_events where published_at is null and ${tenantFilter} limit 10000) waiting) as pending,
        (select extract(epoch from now() - min(occurred_at))::float8 from (
          select occurred_at from platform.outbox_events
          where published_at is null and ${tenantFilter} order by id limit 100) oldest) as oldest_pending_age_seconds,
        (select count(*) from (
          select from platform.outbox_events
          where published_at > now() - interval '1 hour' and id > ${minIdAt(new Date(Date.now() - 3_600_000))} and ${tenantFilter}
          limit 10000) passed) as published_1h
    `.execute(tx),
  )
  return rows[0]!
}

export async function listUnpublishedEvents(tx: TenantTx, before: Date, limit: number): Promise<string[]> {
  const events = await tx
    .selectFrom('platform.outbox_events')
    .select('id')
    .where('published_at', 'is', null)
    .where('occurred_at', '<', before)
    .orderBy('id')
    .limit(limit)
    .execute()
  return events.map(({ id }) => id)
}

/** Registered in all processes, because a lag often means that no worker runs. */
export function registerOutboxMetrics(metrics: Metrics, systemDb: SystemDb): void {
  metrics.gauge({
    name: 'outbox_lag_seconds',
    help: 'Age of the oldest event that was not passed on to its consumers; 0 if there is none.',
    read: () => readOutboxLag(systemDb),
  })
}

async function readOutboxLag(systemDb: SystemDb): Promise<number> {
  const { rows } = await inSystem(systemDb, (tx) =>
    sql<{ seconds: number }>`
      select coalesce(greatest(extract(epoch from now() - min(occurred_at)), 0), 0)::float8 as seconds
      from (select occurred_at from platform.outbox_events where published_at is null order by id limit 100) oldest
    `.execute(tx),
  )
  return rows[0]!.seconds
}

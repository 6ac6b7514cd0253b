import { sql } from 'kysely'
import { inSystem, type SystemDb, type TenantTx } from '#platform/db'
import { minIdAt } from '#platform/ids'

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

import { sql } from 'kysely'
import type { OutsideTx, TenantTx } from '#platform/db'
import type { HealthMetrics } from './health-audit.schemas.ts'

export async function pingDatabase(tx: OutsideTx): Promise<void> {
  await sql`select`.execute(tx)
}

/** Reads the unpublished events of the tenant. Counts stop at 10,000. */
export async function readOutboxBacklog(tx: TenantTx): Promise<HealthMetrics['outbox']> {
  const { rows } = await sql<HealthMetrics['outbox']>`
    select
      (select count(*) from (
        select from platform.outbox_events where published_at is null limit 10000) pending) as pending,
      (select extract(epoch from now() - min(occurred_at))::float8 from (
        select occurred_at from platform.outbox_events
        where published_at is null order by id limit 1) oldest) as oldest_pending_age_seconds,
      (select count(*) from (
        select from platform.outbox_events
        where id > platform.id_at(now() - interval '2 hours') and published_at > now() - interval '1 hour'
        limit 10000) published) as published_1h
  `.execute(tx)
  return rows[0]!
}

type ServerLoad = {
  used: number
  max: number
  oldest_transaction_seconds: number | null
  replication_lag_seconds: number | null
}

export async function readServerLoad(tx: TenantTx): Promise<ServerLoad> {
  const { rows } = await sql<ServerLoad>`
    select used, max, oldest_transaction_seconds, replication_lag_seconds from platform.server_load()
  `.execute(tx)
  return rows[0]!
}

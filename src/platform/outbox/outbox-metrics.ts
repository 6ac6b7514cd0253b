import { sql } from 'kysely'
import { inSystem, type SystemDb } from '#platform/db'
import type { Metrics } from '#platform/telemetry'

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

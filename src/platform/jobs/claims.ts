import { boss, type QueueDb } from './boss.ts'

/** A job as a worker holds it: which attempt tells its claim from a later one. */
export type Claim = { id: string; retryCount: number }

/** How long the jobs of a suspended tenant rest before somebody looks again. */
const restMinutes = 10

/**
 * Gives jobs back that were not finished, for another worker to start at once. The attempt does not count: it is added to
 * the allowance, because the number of attempts has to grow for the old claim to be void.
 */
export async function giveBack(db: QueueDb, queue: string, claims: Claim[]): Promise<void> {
  if (!claims.length) return
  await db.executeSql(
    `update pgboss.job_common
     set state = 'retry', retry_limit = retry_limit + 1, start_after = now(), heartbeat_on = null
     where name = $1 and state = 'active' and id::text || ':' || retry_count = any($2::text[])`,
    [queue, claims.map(({ id, retryCount }) => `${id}:${retryCount}`)],
  )
}

/**
 * Lays the jobs of suspended tenants aside, those at hand and those still waiting, so that nobody keeps picking them up.
 * It takes no attempt and they do not grow old meanwhile.
 */
export async function parkJobs(db: QueueDb, queue: string, tenantIds: string[], held: Claim[]): Promise<void> {
  await db.executeSql(
    `update pgboss.job_common
     set group_tier = 'parked', heartbeat_on = null,
       start_after = now() + interval '${restMinutes} minutes', keep_until = now() + interval '30 days',
       started_on = case state when 'active' then null else started_on end,
       state = case state when 'active' then 'retry' else state end
     where name = $1 and group_id = any($2::text[])
       and (state < 'active' and start_after <= now() or state = 'active' and id::text || ':' || retry_count = any($3::text[]))`,
    [queue, tenantIds, held.map(({ id, retryCount }) => `${id}:${retryCount}`)],
  )
}

/** For a tenant that is active again: its parked jobs run within ten minutes, not all at once. Tells how many. */
export async function releaseParkedJobs(tenantId: string): Promise<number> {
  const { rows } = await boss()
    .getDb()
    .executeSql(
      `with released as (
         update pgboss.job_common
         set group_tier = null, start_after = now() + random() * interval '10 minutes'
         where group_id = $1 and group_tier = 'parked' and state < 'active'
         returning id
       )
       select count(*)::int as count from released`,
      [tenantId],
    )
  return rows[0].count
}

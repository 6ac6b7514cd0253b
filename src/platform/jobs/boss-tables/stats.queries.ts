import { workerApplicationName } from '../boss.ts'
import type { JobQueue } from '../job-queue.ts'
import { deadLetterQueueOf, type Queue, queues } from '../queues.ts'

export type QueueStats = {
  name: Queue
  ready: number
  scheduled: number
  running: number
  /** Dead-lettered in the last 24 hours and not retried since. */
  failed_24h: number
  dead: number
  oldest_ready_age_seconds: number | null
}
export type TenantQueueStats = QueueStats & { retrying: number }

const deadLetterQueues = queues.map(deadLetterQueueOf)

export async function getQueueStats(jobQueue: JobQueue): Promise<QueueStats[]> {
  const { rows } = await jobQueue.getBoss().getDb().executeSql(totalCountsSql, [queues, deadLetterQueues])
  return rows
}

export async function getTenantQueueStats(jobQueue: JobQueue, tenantId: string): Promise<TenantQueueStats[]> {
  const { rows } = await jobQueue.getBoss().getDb().executeSql(tenantCountsSql, [queues, deadLetterQueues, tenantId])
  return rows
}

const isReady = `state < 'active' and not blocked and start_after <= now()`
const isScheduled = `state < 'active' and not blocked and start_after > now()`
const isRunning = `state = 'active' and group_id is not null`
const isRecent = `created_on > now() - interval '24 hours'`

// ORDER BY of the queue's index, so that the planner does not scan the completed jobs.
const orderAndLimit = 'order by priority desc, created_on limit 10000'
const counted = (name: string, condition: string, order = orderAndLimit) =>
  `(select count(*)::int from (select from pgboss.job_common where name = ${name} and ${condition} ${order}) counted)`

const totalCountsSql = `
  select q.name,
    ${counted('q.name', isReady)} as ready,
    ${counted('q.name', isScheduled)} as scheduled,
    ${counted('q.name', isRunning, 'limit 10000')} as running,
    ${counted('q.dead', `${isReady} and ${isRecent}`)} as failed_24h,
    ${counted('q.dead', isReady)} as dead,
    (select extract(epoch from max(now() - greatest(created_on, start_after)))::float8
     from (select created_on, start_after from pgboss.job_common where name = q.name and ${isReady} ${orderAndLimit}) oldest
    ) as oldest_ready_age_seconds
  from unnest($1::text[], $2::text[]) as q (name, dead)`

/** Reads the waiting jobs once, because no index contains the tenant. */
const tenantCountsSql = `
  with waiting as (
    select name,
      count(*) filter (where start_after <= now())::int as ready,
      count(*) filter (where start_after > now())::int as scheduled,
      count(output)::int as retrying,
      count(*) filter (where ${isRecent})::int as recent,
      max(now() - greatest(created_on, start_after)) filter (where start_after <= now()) as oldest
    from pgboss.job_common
    where name = any($1::text[] || $2::text[]) and state < 'active' and not blocked and group_id = $3
    group by name
  )
  select q.name,
    coalesce(w.ready, 0) as ready,
    coalesce(w.scheduled, 0) as scheduled,
    r.running,
    coalesce(w.retrying, 0) + r.retrying as retrying,
    coalesce(d.recent, 0) as failed_24h,
    coalesce(d.ready, 0) as dead,
    extract(epoch from w.oldest)::float8 as oldest_ready_age_seconds
  from unnest($1::text[], $2::text[]) as q (name, dead)
    left join waiting w on w.name = q.name
    left join waiting d on d.name = q.dead
    cross join lateral (
      select count(*)::int as running, count(output)::int as retrying
      from pgboss.job_common where name = q.name and ${isRunning} and group_id = $3
    ) r`

export async function countLiveWorkers(jobQueue: JobQueue): Promise<number> {
  const { rows } = await jobQueue
    .getBoss()
    .getDb()
    .executeSql(
      `select count(distinct application_name)::int as alive from pg_stat_activity
       where datname = current_database() and usename = current_user and application_name like $1
         and state_change > now() - interval '1 minute'`,
      [`${workerApplicationName} %`],
    )
  return rows[0].alive
}

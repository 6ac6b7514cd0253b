import type { JobQueue } from '../job-queue.ts'
import { queues } from '../queues.ts'

const isStuck = `name = any($1::text[]) and group_id = $2 and state = 'active'
  and coalesce(heartbeat_on, started_on) < now() - interval '1 hour'`

/** Lists jobs that count as running, although their worker has sent no heartbeat for an hour. */
export async function listStuckJobs(jobQueue: JobQueue, tenantId: string, limit: number): Promise<string[]> {
  const { rows } = await jobQueue
    .getBoss()
    .getDb()
    .executeSql(`select id from pgboss.job_common where ${isStuck} limit $3`, [queues, tenantId, limit])
  return rows.map(({ id }: { id: string }) => id)
}

/** Lets another worker claim the jobs, without using up an attempt. */
export async function requeueStuckJobs(jobQueue: JobQueue, tenantId: string, ids: readonly string[]): Promise<number> {
  const { rows } = await jobQueue
    .getBoss()
    .getDb()
    .executeSql(
      `update pgboss.job_common
       set state = 'retry', retry_limit = retry_limit + 1, start_after = now(), heartbeat_on = null
       where ${isStuck} and id = any($3::uuid[]) returning id`,
      [queues, tenantId, ids],
    )
  return rows.length
}

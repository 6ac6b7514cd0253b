import { sql } from 'kysely'
import type { Job as ClaimedJob } from 'pg-boss'
import type { SystemTx } from '#platform/db'
import type { QueueDb } from '../boss.ts'
import type { JobData } from '../job.ts'
import type { JobQueue } from '../job-queue.ts'
import { deadLetterQueueOf, type Queue, queues } from '../queues.ts'

export type DeadJobFilter = { ids?: string[]; tenantId?: string; job?: string; limit?: number }

/** Selects the oldest dead jobs. Their handlers are notified again if they fail again. */
export async function selectDeadJobs(
  db: QueueDb,
  queue: Queue,
  { ids, tenantId, job, limit = 1_000 }: DeadJobFilter,
): Promise<string[]> {
  const { rows } = await db.executeSql(
    `update pgboss.job_common set group_tier = null
     where id in (
       select id from pgboss.job_common
       where name = $1 and state < 'active' and ($2::text is null or group_id = $2)
         and ($3::text is null or data ->> 'job' = $3) and ($4::uuid[] is null or id = any($4))
       order by created_on limit $5)
     returning id`,
    [deadLetterQueueOf(queue), tenantId ?? null, job ?? null, ids ?? null, limit],
  )
  return rows.map(({ id }: { id: string }) => id)
}

export type DeadJob = {
  id: string
  queue: string
  job: string
  tenant_id: string
  payload: unknown
  error: { name?: string; code?: string; message?: string } | null
  attempts: number
  ordered_at: Date
  failed_at: Date
}

export async function listDeadJobs(jobQueue: JobQueue, queue: Queue, limit = 100): Promise<DeadJob[]> {
  const { rows } = await jobQueue
    .getBoss()
    .getDb()
    .executeSql(
      `select id, source_name as queue, data ->> 'job' as job, group_id as tenant_id, data -> 'payload' as payload,
         source_output as error, source_retry_count + 1 as attempts, source_created_on as ordered_at, created_on as failed_at
       from pgboss.job_common
       where name = $1 and state < 'active'
       order by created_on desc
       limit $2`,
      [deadLetterQueueOf(queue), limit],
    )
  return rows
}

export type UnnotifiedJob = Pick<ClaimedJob<JobData>, 'id' | 'name' | 'data' | 'retryCount' | 'groupId'>

export async function lockDeadJobsToNotify(tx: SystemTx, jobNames: string[]): Promise<UnnotifiedJob[]> {
  const { rows } = await sql<UnnotifiedJob>`
    select id, name, data, source_retry_count as "retryCount", group_id as "groupId"
    from pgboss.job_common
    where name = any(${queues.map(deadLetterQueueOf)}) and state = 'created' and not blocked and start_after <= now()
      and group_tier is distinct from 'told' and data ->> 'job' = any(${jobNames})
    order by created_on
    limit 20
    for update skip locked
  `.execute(tx)
  return rows
}

export async function markDeadJobNotified(tx: SystemTx, id: string): Promise<void> {
  await sql`update pgboss.job_common set group_tier = 'told' where id = ${id}`.execute(tx)
}

export async function postponeDeadJobNotification(tx: SystemTx, id: string): Promise<void> {
  await sql`update pgboss.job_common set start_after = now() + interval '1 minute' where id = ${id}`.execute(tx)
}

import { sql } from 'kysely'
import type { SystemTx, TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { QueueDb } from '../boss.ts'
import type { JobQueue } from '../job-queue.ts'

/** One attempt of a job; the retry count distinguishes it from a later claim of the same job. */
export type JobClaim = { id: string; retryCount: number }

const parkedMinutes = 10

/** Releases unfinished jobs without losing an attempt: the retry count must grow to invalidate the claim, so the limit grows too. */
export async function releaseJobs(db: QueueDb, queue: string, claims: JobClaim[]): Promise<void> {
  if (!claims.length) return
  await db.executeSql(
    `update pgboss.job_common
     set state = 'retry', retry_limit = retry_limit + 1, start_after = now(), heartbeat_on = null
     where name = $1 and state = 'active' and id::text || ':' || retry_count = any($2::text[])`,
    [queue, claims.map(({ id, retryCount }) => `${id}:${retryCount}`)],
  )
}

/** Leaves a job to a worker of another version, for ever longer times so that a backlog is not claimed often. False after a day. */
export async function postponeJob(db: QueueDb, queue: string, { id, retryCount }: JobClaim): Promise<boolean> {
  const { rows } = await db.executeSql(
    `update pgboss.job_common
     set state = 'retry', retry_limit = retry_limit + 1, heartbeat_on = null,
       start_after = now() + least(greatest(now() - created_on, interval '2 seconds'), interval '1 hour')
     where name = $1 and state = 'active' and id = $2 and retry_count = $3 and created_on > now() - interval '1 day'
     returning id`,
    [queue, id, retryCount],
  )
  return rows.length === 1
}

export async function parkJobs(db: QueueDb, queue: string, tenantIds: string[], claims: JobClaim[]): Promise<void> {
  await db.executeSql(
    `update pgboss.job_common
     set group_tier = 'parked', heartbeat_on = null,
       start_after = now() + interval '${parkedMinutes} minutes', keep_until = now() + interval '30 days',
       started_on = case state when 'active' then null else started_on end,
       state = case state when 'active' then 'retry' else state end
     where name = $1 and group_id = any($2::text[])
       and (state < 'active' and start_after <= now() or state = 'active' and id::text || ':' || retry_count = any($3::text[]))`,
    [queue, tenantIds, claims.map(({ id, retryCount }) => `${id}:${retryCount}`)],
  )
}

/** Resumes the parked jobs of a tenant, spread over ten minutes to avoid a burst. Returns their number. */
export async function unparkJobs(jobQueue: JobQueue, tenantId: string): Promise<number> {
  const { rows } = await jobQueue
    .getBoss()
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

export async function limitRetries(tx: SystemTx, jobId: string, maxRetries: number): Promise<void> {
  await sql`update pgboss.job_common set retry_limit = least(retry_limit, ${maxRetries}) where id = ${jobId}`.execute(
    tx,
  )
}

/** Returns false if the worker has lost its claim. The new id ends the claim, so that the result of the current attempt has no effect. */
export async function requeueClaimedJob(tx: TenantTx, queue: string, { id, retryCount }: JobClaim): Promise<boolean> {
  const { rows } = await sql<{ requeued: boolean }>`
    select pgboss.requeue_job(${queue}, ${id}, ${retryCount}, ${newId()}) as requeued
  `.execute(tx)
  return rows[0]?.requeued ?? false
}

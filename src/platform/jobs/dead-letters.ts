import { sql } from 'kysely'
import type { Job as Claimed } from 'pg-boss'
import { inSystem, type SystemDb, type SystemTx } from '#platform/db'
import { runInTrace } from '#platform/telemetry'
import type { JobData } from './enqueue.ts'
import type { JobQueue } from './job-queue.ts'
import { deadLetterQueueOf, type Queue, queues } from './queues.ts'
import { createJobContext, type WorkerContext } from './run-jobs.ts'

type RedriveFilter = { ids?: string[]; tenantId?: string; job?: string; limit?: number }

export async function redriveDeadJobs(
  jobQueue: JobQueue,
  queue: Queue,
  { ids, tenantId, job, limit = 1_000 }: RedriveFilter = {},
): Promise<number> {
  const dead = deadLetterQueueOf(queue)
  const boss = jobQueue.getBoss()
  const { rows } = await boss.getDb().executeSql(
    `update pgboss.job_common set group_tier = null
     where id in (
       select id from pgboss.job_common
       where name = $1 and state < 'active' and ($2::text is null or group_id = $2)
         and ($3::text is null or data ->> 'job' = $3) and ($4::uuid[] is null or id = any($4))
       order by created_on limit $5)
     returning id`,
    [dead, tenantId ?? null, job ?? null, ids ?? null, limit],
  )
  if (!rows.length) return 0
  const deadIds = rows.map(({ id }: { id: string }) => id)
  const moved = await boss.redrive(dead, { ids: deadIds, limit })
  jobQueue.wake(queue)
  return moved
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
  died_at: Date
}

export async function listDeadJobs(jobQueue: JobQueue, queue: Queue, limit = 100): Promise<DeadJob[]> {
  const { rows } = await jobQueue
    .getBoss()
    .getDb()
    .executeSql(
      `select id, source_name as queue, data ->> 'job' as job, group_id as tenant_id, data -> 'payload' as payload,
         source_output as error, source_retry_count + 1 as attempts, source_created_on as ordered_at, created_on as died_at
       from pgboss.job_common
       where name = $1 and state < 'active'
       order by created_on desc
       limit $2`,
      [deadLetterQueueOf(queue), limit],
    )
  return rows
}

/** Calls `onDeadLetter` for new dead jobs; a failed call is repeated a minute later. */
export async function notifyDeadLettered(worker: WorkerContext, systemDb: SystemDb): Promise<void> {
  const jobNames = [...worker.handlers.values()].filter(({ onDeadLetter }) => onDeadLetter).map(({ job }) => job.name)
  if (!jobNames.length) return
  await inSystem(systemDb, async (tx) => {
    for (const job of await lockDeadJobsToNotify(tx, jobNames)) {
      const trace = { name: `dead job ${job.data.job}`, context: job.data.trace, hasFailed: () => false }
      await runInTrace(trace, () => notifyHandler(worker, tx, job))
    }
  })
}

type UnnotifiedJob = Pick<Claimed<JobData>, 'id' | 'name' | 'data' | 'retryCount' | 'groupId'>

async function lockDeadJobsToNotify(tx: SystemTx, jobNames: string[]): Promise<UnnotifiedJob[]> {
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

async function notifyHandler(worker: WorkerContext, tx: SystemTx, job: UnnotifiedJob): Promise<void> {
  const context = createJobContext(worker, job.name, { ...job, signal: worker.abortSignal } as Claimed<JobData>)
  try {
    await worker.handlers.get(job.data.job)?.onDeadLetter?.(context, job.data.payload as never)
    await sql`update pgboss.job_common set group_tier = 'told' where id = ${job.id}`.execute(tx)
  } catch (err) {
    context.log.warn({ err }, 'dead-letter callback failed')
    await sql`update pgboss.job_common set start_after = now() + interval '1 minute' where id = ${job.id}`.execute(tx)
  }
}

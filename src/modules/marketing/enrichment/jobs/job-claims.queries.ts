import { sql } from 'kysely'
import { acquireAdvisoryLock, type TenantTx } from '#platform/db'
import { type JobRow, jobColumns } from './enrichment-jobs.queries.ts'
import type { JobOutcome, LogEntry, NextDispatch } from './job-status.rules.ts'

const columnsOf = (alias: string) => sql.join(jobColumns.map((column) => sql.ref(`${alias}.${column}`)))

/** Serializes claims, so that workers together respect the maximum number of running jobs. */
export const lockClaims = (tx: TenantTx): Promise<void> => acquireAdvisoryLock(tx, 'enrichment_claims')

type Claim = { claimId: string; now: Date; maxRunning: number }

export async function claimDueJobs(tx: TenantTx, { claimId, now, maxRunning }: Claim): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    with running as (
      select count(*)::int as jobs from (
        select from marketing.enrichment_jobs where status = 'running' limit ${maxRunning}) capped
    ), due as (
      select id from marketing.enrichment_jobs where status = 'queued' and run_at <= ${now}
      order by run_at, id limit greatest(0, ${maxRunning}::int - (select jobs from running)) for update skip locked
    )
    update marketing.enrichment_jobs job
    set status = 'running', claim_id = ${claimId}, claimed_at = ${now}, started_at = coalesce(started_at, ${now})
    where job.id = any (array(select id from due))
    returning ${columnsOf('job')}
  `.execute(tx)
  return rows
}

/** Returns undefined if another worker has taken over the job, or the job was ended. */
export const lockClaimedJob = (tx: TenantTx, { id, claim_id }: Pick<JobRow, 'id' | 'claim_id'>) =>
  tx
    .selectFrom('marketing.enrichment_jobs')
    .select(['id', 'credits_used', 'credits_reserved', 'credit_month'])
    .where('id', '=', id)
    .where('claim_id', '=', claim_id)
    .forUpdate()
    .executeTakeFirst()

type JobEnd = JobOutcome & { log: readonly LogEntry[]; credits: number; fields: readonly string[]; now: Date }

export async function finishJobRow(
  tx: TenantTx,
  id: string,
  { status, reason, log, credits, fields, now }: JobEnd,
): Promise<JobRow> {
  return await tx
    .updateTable('marketing.enrichment_jobs')
    .set({
      status,
      reason,
      log: JSON.stringify(log),
      credits_used: credits,
      credits_reserved: 0,
      fields_requested: [...fields],
      claim_id: null,
      claimed_at: null,
      finished_at: now,
    })
    .where('id', '=', id)
    .returning(jobColumns)
    .executeTakeFirstOrThrow()
}

type Requeue = {
  runAt: Date
  attempts: number
  log: readonly LogEntry[]
  /** Credits of the answers that the log keeps. */
  credits: number
  fields: readonly string[] | null
}

export async function requeueJobRow(
  tx: TenantTx,
  id: string,
  { runAt, attempts, log, credits, fields }: Requeue,
): Promise<void> {
  await tx
    .updateTable('marketing.enrichment_jobs')
    .set({
      status: 'queued',
      run_at: runAt,
      attempts,
      log: JSON.stringify(log),
      fields_requested: fields && [...fields],
      credits_used: credits,
      credits_reserved: 0,
      claim_id: null,
      claimed_at: null,
    })
    .where('id', '=', id)
    .execute()
}

export const listExpiredJobs = (tx: TenantTx, claimedBefore: Date, limit: number): Promise<JobRow[]> =>
  tx
    .selectFrom('marketing.enrichment_jobs')
    .select(jobColumns)
    .where('status', '=', sql.lit('running'))
    .where('claimed_at', '<', claimedBefore)
    .orderBy('claimed_at')
    .orderBy('id')
    .limit(limit)
    .execute()

export async function findNextDispatch(tx: TenantTx): Promise<NextDispatch> {
  const { rows } = await sql<NextDispatch>`
    select
      (select run_at from marketing.enrichment_jobs where status = 'queued' order by run_at, id limit 1) as queued_at,
      (select claimed_at from marketing.enrichment_jobs where status = 'running' order by claimed_at, id limit 1) as claimed_at,
      (select count(*)::int from (select from marketing.enrichment_jobs where status = 'running' limit 4) capped) as running
  `.execute(tx)
  return rows[0]!
}

type Person = { lead_ids: readonly string[]; contact_ids: readonly string[] }
/** `task_id` is null if the job had ended before. */
export type ErasedJob = { id: string; credits_reserved: number; credit_month: string | null; task_id: string | null }

/** Empties the logs of a person. A running job loses its claim, so that its result is not stored any more. */
export async function eraseJobs(tx: TenantTx, { lead_ids, contact_ids }: Person, now: Date, limit: number) {
  const { rows } = await sql<ErasedJob>`
    with erased as (
      select id, status, credits_reserved, credit_month from marketing.enrichment_jobs
      where (lead_id = any (${lead_ids}::uuid[]) or contact_id = any (${contact_ids}::uuid[]))
        and (log <> '[]' or status in ('queued', 'running'))
      order by id limit ${sql.lit(limit)} for update
    )
    update marketing.enrichment_jobs job
    set log = '[]', credits_reserved = 0, claim_id = null, claimed_at = null,
      reason = case when erased.status in ('queued', 'running') then 'erased' else job.reason end,
      finished_at = coalesce(job.finished_at, ${now}),
      status = case when erased.status in ('queued', 'running') then 'skipped' else job.status end
    from erased where job.id = erased.id
    returning job.id, erased.credits_reserved, erased.credit_month,
      case when erased.status in ('queued', 'running') then job.task_id end as task_id
  `.execute(tx)
  return rows
}

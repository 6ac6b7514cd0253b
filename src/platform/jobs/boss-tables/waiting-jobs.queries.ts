import { sql } from 'kysely'
import { type SystemTx, type TenantTx, tenantIdOf } from '#platform/db'
import type { Job } from '../job.ts'
import { deadLetterQueueOf } from '../queues.ts'

type WaitingJob = { key?: string; startAfter?: string }

/** Locks the waiting jobs with these keys and starts them not later than `startAfter`. Returns the keys of which no job waits. */
export async function holdWaitingJobs(
  tx: TenantTx,
  queue: string,
  jobs: readonly WaitingJob[],
): Promise<ReadonlySet<string>> {
  const keys = jobs.map(({ key = '' }) => key)
  const startTimes = jobs.map(({ startAfter = null }) => startAfter)
  const { rows } = await sql<{ key: string; held: boolean }>`
    select key, pgboss.hold_waiting(${queue}, key, start_after) as held
    from unnest(${keys}::text[], ${startTimes}::timestamptz[]) as waiting (key, start_after)
  `.execute(tx)
  return new Set(rows.filter(({ held }) => !held).map(({ key }) => key))
}

/** Deletes the dead jobs of the tenants and lists those tenants that have no waiting one. */
export async function prepareTenantJobs(tx: SystemTx, job: Job, tenantIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    with dead as (
      delete from pgboss.job_common
      where name = ${deadLetterQueueOf(job.queue)} and state < 'active' and data ->> 'job' = ${job.name}
        and group_id = any (${tenantIds}::text[])
    )
    select tenant_id from unnest(${tenantIds}::text[]) as tenant_id
    where tenant_id not in (
      select group_id from pgboss.job_common where name = ${job.queue} and state < 'active' and data ->> 'job' = ${job.name})
  `.execute(tx)
  return rows.map(({ tenant_id }) => tenant_id)
}

type TenantsByJob = { withoutJob: string[]; withRunningJob: string[] }

/** Leaves out tenants whose job waits or is retried. Deletes dead jobs, because the work is done again. */
export async function groupTenantsByJob(tx: SystemTx, job: Job, tenantIds: readonly string[]): Promise<TenantsByJob> {
  if (!tenantIds.length) return { withoutJob: [], withRunningJob: [] }
  const { rows } = await sql<{ tenant_id: string; is_running: boolean }>`
    with dead as (
      delete from pgboss.job_common
      where name = ${deadLetterQueueOf(job.queue)} and state < 'active' and not blocked and data ->> 'job' = ${job.name}
        and group_id = any (${tenantIds}::text[])
    )
    select tenant_id, tenant_id in (
      select group_id from pgboss.job_common
      where name = ${job.queue} and state = 'active' and group_id is not null and data ->> 'job' = ${job.name}) as is_running
    from unnest(${tenantIds}::text[]) as tenant_id
    where tenant_id not in (
      select group_id from pgboss.job_common
      where name = ${job.queue} and state < 'active' and not blocked and group_id is not null and data ->> 'job' = ${job.name})
  `.execute(tx)
  const listIds = (isRunning: boolean) =>
    rows.filter(({ is_running }) => is_running === isRunning).map(({ tenant_id }) => tenant_id)
  return { withoutJob: listIds(false), withRunningJob: listIds(true) }
}

export async function listRunningPayloadValues(tx: SystemTx, field: string): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select data -> 'payload' ->> ${field}::text as value from pgboss.job_common
    where state = 'active' and group_id is not null and data -> 'payload' ? ${field}::text
  `.execute(tx)
  return rows.map(({ value }) => value)
}

export async function deleteTenantJobs(tx: TenantTx): Promise<number> {
  const { numAffectedRows } = await sql`delete from pgboss.job where group_id = ${tenantIdOf(tx)}`.execute(tx)
  return Number(numAffectedRows)
}

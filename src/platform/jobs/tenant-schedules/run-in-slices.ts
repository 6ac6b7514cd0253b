import { sql } from 'kysely'
import { createSemaphore, mapConcurrently } from '#platform/concurrency'
import type { SystemTx } from '#platform/db'
import { runAsWork } from '#platform/watchdog'
import { groupTenantsByJob } from '../boss-tables/waiting-jobs.queries.ts'
import { enqueueForTenants } from '../enqueue.ts'
import type { Job, JobContext } from '../job.ts'
import type { ScheduleContext } from '../schedules.ts'

/** Tenants that a process handles at the same time for all frequent schedules, which take turns. Each uses a database connection. */
const waitForTurn = createSemaphore({ concurrency: 6, maxQueued: Number.POSITIVE_INFINITY })
/** Less than all turns, so that the slow tenants of one schedule leave some to the others. */
const tenantsPerRun = 3

type SlicedSchedule = {
  name: string
  job: Job
  listTenants(tx: SystemTx, since: Date): Promise<string[]>
  runForTenant(context: JobContext & Pick<ScheduleContext, 'inSystem'>): Promise<void>
  sliceMs: number
}

/** Handles the tenants with work, each for at most a slice. Those that are not done or fail get a job. */
export async function runInSlices(context: ScheduleContext, schedule: SlicedSchedule): Promise<void> {
  const { inSystem, signal, drainSignal } = context
  const { name, job } = schedule
  const { tenantIds, listedAt } = await inSystem(async (tx) => {
    const { since, now } = await readPosition(tx, name)
    const { withoutJob, withRunningJob } = await groupTenantsByJob(tx, job, await schedule.listTenants(tx, since))
    // The running job may have read before the latest changes, so another one follows it.
    if (withRunningJob.length) await enqueueForTenants(tx, job, withRunningJob)
    return { tenantIds: withoutJob, listedAt: now }
  })
  await mapConcurrently(tenantIds, tenantsPerRun, (tenantId) =>
    waitForTurn(name, async () => {
      const describe = () => ({ schedule: name, tenant_id: tenantId })
      if (!drainSignal.aborted && !signal.aborted)
        await runAsWork(describe, () => runSlice(context, schedule, tenantId))
    }),
  )
  if (!drainSignal.aborted && !signal.aborted) await inSystem((tx) => storePosition(tx, name, listedAt))
}

async function runSlice(
  { inSystem, openTenant, signal }: ScheduleContext,
  { job, runForTenant, sliceMs }: SlicedSchedule,
  tenantId: string,
): Promise<void> {
  const slice = AbortSignal.timeout(sliceMs)
  const tenant = await openTenant(tenantId, AbortSignal.any([signal, slice]))
  if (!tenant) return
  try {
    await runForTenant({ ...tenant, inSystem })
  } catch (err) {
    if (signal.aborted) return
    if (slice.aborted) tenant.log.info({}, 'work of a tenant takes longer than its slice and continues in a job')
    else tenant.log.warn({ err }, 'work of a tenant failed and is retried in a job')
    await inSystem((tx) => enqueueForTenants(tx, job, [tenantId]))
  }
}

/** Reads when the last complete run listed its tenants, and the current time of the database. */
export async function readPosition(tx: SystemTx, schedule: string): Promise<{ since: Date; now: Date }> {
  const { rows } = await sql<{ since: Date; now: Date }>`
    select coalesce(
      (select listed_at from platform.schedule_positions where schedule = ${schedule}), 'epoch'::timestamptz) as since, now()
  `.execute(tx)
  return rows[0]!
}

export async function storePosition(tx: SystemTx, schedule: string, listedAt: Date): Promise<void> {
  await tx
    .insertInto('platform.schedule_positions')
    .values({ schedule, listed_at: listedAt })
    .onConflict((conflict) =>
      conflict.constraint('schedule_positions_pkey').doUpdateSet({
        listed_at: sql<Date>`greatest(schedule_positions.listed_at, excluded.listed_at)`,
      }),
    )
    .execute()
}

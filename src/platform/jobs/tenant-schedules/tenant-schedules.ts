import { Type } from 'typebox'
import { inSystem, type SystemDb, type SystemTx } from '#platform/db'
import { enqueueForTenants } from '../enqueue.ts'
import { defineJob, defineJobHandler, type Job, type JobContext, type JobHandler } from '../job.ts'
import type { Schedule, ScheduleContext } from '../schedules.ts'
import { runInSlices } from './run-in-slices.ts'

const NoPayload = Type.Object({})

export type TenantScheduleContext = JobContext & Pick<ScheduleContext, 'inSystem'>

export type TenantSchedule = Schedule & {
  readonly job: Job<typeof NoPayload>
  /** `since` is the time of the last complete run of a frequent schedule, and the beginning of time for others. */
  listTenants(tx: SystemTx, since: Date): Promise<string[]>
  /** Throws when `signal` is aborted before the work is done. */
  runForTenant(context: TenantScheduleContext): Promise<void>
}

type Options = Pick<TenantSchedule, 'listTenants' | 'runForTenant'> & {
  run?: Schedule['run']
}

/** Defines periodic work with one job per tenant, so that a tenant whose job fails is retried alone. */
export function defineTenantSchedule(name: string, cron: string, { listTenants, runForTenant, run }: Options) {
  if (!/^\d+ /.test(cron)) throw new Error(`${name} runs more often than hourly: use defineFrequentTenantSchedule.`)
  const job = defineJob(name, 'maintenance', NoPayload)
  const schedule: TenantSchedule = {
    name,
    cron,
    job,
    listTenants,
    runForTenant,
    async run(context) {
      await context.inSystem(async (tx) => enqueueForTenants(tx, job, await listTenants(tx, new Date(0))))
      await run?.(context)
    },
  }
  return schedule
}

type FrequentOptions = Pick<TenantSchedule, 'listTenants' | 'runForTenant'> & { sliceSeconds?: number }

/**
 * Defines periodic work of tenants that runs inside the run of the schedule, several tenants at a time. Only a tenant that fails or
 * takes longer than its slice gets a job, so that it neither delays the others nor fails unnoticed. `listTenants` must be an index
 * scan that reads nothing of tenants without work.
 */
export function defineFrequentTenantSchedule(name: string, cron: string, options: FrequentOptions): TenantSchedule {
  const { listTenants, runForTenant, sliceSeconds = 10 } = options
  const job = defineJob(name, 'maintenance', NoPayload)
  return {
    name,
    cron,
    job,
    listTenants,
    runForTenant,
    run: (context) => runInSlices(context, { name, job, listTenants, runForTenant, sliceMs: sliceSeconds * 1_000 }),
  }
}

const isTenantSchedule = (schedule: Schedule): schedule is TenantSchedule => 'runForTenant' in schedule

export const createTenantScheduleHandlers = (schedules: readonly Schedule[], systemDb: SystemDb): JobHandler[] =>
  schedules
    .filter(isTenantSchedule)
    .map(({ job, runForTenant }) =>
      defineJobHandler(job, (context) => runForTenant({ ...context, inSystem: (work) => inSystem(systemDb, work) })),
    )

import { Type } from 'typebox'
import { inSystem, type SystemDb, type SystemTx } from '#platform/db'
import { enqueueForTenants } from './enqueue.ts'
import { defineJob, defineJobHandler, type Job, type JobContext, type JobHandler } from './job.ts'
import type { Schedule, ScheduleContext } from './schedules.ts'

const NoPayload = Type.Object({})

export type TenantScheduleContext = JobContext & Pick<ScheduleContext, 'inSystem'>

export type TenantSchedule = Schedule & {
  readonly job: Job<typeof NoPayload>
  listTenants(tx: SystemTx): Promise<string[]>
  runForTenant(context: TenantScheduleContext): Promise<void>
}

type Options = Pick<TenantSchedule, 'listTenants' | 'runForTenant'> & {
  run?: Schedule['run']
}

/** Defines periodic work with one job per tenant, so that a tenant whose job fails is retried alone. */
export function defineTenantSchedule(name: string, cron: string, { listTenants, runForTenant, run }: Options) {
  const job = defineJob(name, 'maintenance', NoPayload)
  const schedule: TenantSchedule = {
    ...{ name, cron, job, listTenants, runForTenant },
    async run(context) {
      await context.inSystem(async (tx) => enqueueForTenants(tx, job, await listTenants(tx)))
      await run?.(context)
    },
  }
  return schedule
}

const isTenantSchedule = (schedule: Schedule): schedule is TenantSchedule => 'runForTenant' in schedule

export const createTenantScheduleHandlers = (schedules: readonly Schedule[], systemDb: SystemDb): JobHandler[] =>
  schedules
    .filter(isTenantSchedule)
    .map(({ job, runForTenant }) =>
      defineJobHandler(job, (context) => runForTenant({ ...context, inSystem: (work) => inSystem(systemDb, work) })),
    )

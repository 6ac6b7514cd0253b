import type { Job as ClaimedJob, JobResult, PgBoss } from 'pg-boss'
import { inSystem, type SystemTx } from '#platform/db'
import { postponeJob } from './boss-tables/claims.queries.ts'
import { listLastScheduleRuns, refreshSchedules } from './boss-tables/schedules.queries.ts'
import type { JobContext, JobLog } from './job.ts'
import type { JobOutcome } from './job-metrics.ts'
import type { JobQueue } from './job-queue.ts'
import { scheduleQueue } from './queues.ts'
import { createJobContext, summarizeError, type WorkerContext, withLogFields } from './run-jobs.ts'

export type ScheduleContext = {
  inSystem<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  /** Returns what a job of the tenant gets; undefined if the tenant is gone. */
  openTenant(tenantId: string, signal: AbortSignal): Promise<JobContext | undefined>
  readonly signal: AbortSignal
  /** Aborted when the worker stops: work that has not started is left to the next run. */
  readonly drainSignal: AbortSignal
  readonly log: JobLog
}

export type Schedule = {
  readonly name: string
  readonly cron: string
  run(context: ScheduleContext): Promise<void>
}

/** Defines periodic work across tenants, in one process at a time. Runs missed while no worker was up are made up for once. */
export const defineSchedule = (name: string, cron: string, run: Schedule['run']): Schedule => ({ name, cron, run })

export type ScheduleRun = { schedule: string }

const refreshMs = 3_600_000

/** Registers the schedules and repeats until stopped that a worker has them. Those that no worker has had for a day are deleted. */
export async function startScheduleRegistration(boss: PgBoss, schedules: readonly Schedule[], log: JobLog) {
  for (const { name, cron } of schedules) {
    await boss.schedule(scheduleQueue, cron, { schedule: name }, { key: name, singletonKey: name, missed: 'once' })
  }
  const names = schedules.map(({ name }) => name)
  await refreshSchedules(boss.getDb(), names)
  const timer = setInterval(() => {
    refreshSchedules(boss.getDb(), names).catch((err) => log.warn({ err }, 'refreshing the schedules failed'))
  }, refreshMs)
  return { stop: () => clearInterval(timer) }
}

export async function runSchedule(
  worker: WorkerContext,
  schedules: ReadonlyMap<string, Schedule>,
  job: ClaimedJob<ScheduleRun>,
): Promise<JobResult> {
  const { queueDb, measureJob } = worker
  const { id, data } = job
  const schedule = schedules.get(data.schedule)
  const context = createScheduleContext(worker, job)
  const startedAt = performance.now()
  const measure = (outcome: JobOutcome) => {
    const seconds = (performance.now() - startedAt) / 1_000
    measureJob?.({ job: data.schedule, tenantId: null, attempt: job.retryCount + 1, outcome, seconds })
  }
  try {
    if (schedule) await schedule.run(context)
    else if (!(await postponeJob(queueDb, scheduleQueue, job))) throw new Error(`Unknown schedule ${data.schedule}.`)
    measure(schedule ? 'succeeded' : 'postponed')
    return { id, status: 'completed' }
  } catch (err) {
    measure('failed')
    context.log.error({ err }, 'schedule failed')
    return { id, status: 'failed', output: summarizeError(err) }
  }
}

function createScheduleContext(worker: WorkerContext, job: ClaimedJob<ScheduleRun>): ScheduleContext {
  const { systemDb, log, abortSignal, drainSignal, getTenantStatus } = worker
  const { schedule } = job.data
  return {
    inSystem: (work) => inSystem(systemDb, work),
    async openTenant(tenantId, signal) {
      if ((await getTenantStatus(tenantId)) === 'gone') return undefined
      const data = { job: schedule, payload: {} }
      return createJobContext(worker, 'maintenance', { ...job, groupId: tenantId, retryCount: 0, data, signal })
    },
    signal: AbortSignal.any([job.signal, abortSignal]),
    drainSignal,
    log: withLogFields(log, { schedule }),
  }
}

export async function runScheduleNow(jobQueue: JobQueue, name: string): Promise<void> {
  await jobQueue.getBoss().send(scheduleQueue, { schedule: name } satisfies ScheduleRun, { singletonKey: name })
  jobQueue.wake(scheduleQueue)
}

export type ScheduleState = {
  name: string
  last_run_at: Date | null
  last_status: 'succeeded' | 'failed' | 'running' | null
  next_run_at: Date | null
  overdue: boolean
}

export async function listScheduleStates(jobQueue: JobQueue, now: Date): Promise<ScheduleState[]> {
  const boss = jobQueue.getBoss()
  const schedules = await boss.getSchedules(scheduleQueue)
  const lastRuns = await listLastScheduleRuns(boss.getDb())
  const lastRunByName = new Map(lastRuns.map((run) => [run.name, run]))
  return await Promise.all(
    schedules.map(async ({ key, cron, createdOn }) => {
      const last = lastRunByName.get(key)
      const [next] = await boss.previewSchedule(cron, { from: now, count: 1 })
      const [, second] = await boss.previewSchedule(cron, { from: last?.started_on ?? createdOn, count: 2 })
      return {
        name: key,
        last_run_at: last?.started_on ?? null,
        last_status: last ? statuses[last.state] : null,
        next_run_at: next ?? null,
        overdue: second !== undefined && second < now,
      }
    }),
  )
}

const statuses = { active: 'running', completed: 'succeeded', failed: 'failed', retry: 'failed' } as const

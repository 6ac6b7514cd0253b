import type { Job as Claimed, JobResult, PgBoss } from 'pg-boss'
import { systemIn } from '#platform/access'
import { type Db, inSystem, inTenant, type SystemDb, type SystemTx, type TenantTx } from '#platform/db'
import { boss } from './boss.ts'
import type { JobLog } from './job.ts'
import { scheduleQueue } from './queues.ts'
import { about, outline } from './run-jobs.ts'
import { wake } from './wake.ts'

/** What periodic work of the platform may do: look across tenants, and act in one of them. */
export type ScheduleContext = {
  inSystem<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  inTenant<T>(tenantId: string, work: (tx: TenantTx) => Promise<T>): Promise<T>
  readonly signal: AbortSignal
  readonly log: JobLog
}

export type Schedule = {
  readonly name: string
  /** In UTC, to the minute. */
  readonly cron: string
  run(context: ScheduleContext): Promise<void>
}

/** Work that comes round. It runs in one process at a time; a run that was missed while nobody worked is made up for once. */
export const defineSchedule = (name: string, cron: string, run: Schedule['run']): Schedule => ({ name, cron, run })

export type RunOrder = { schedule: string }

/** The timetable is what the code says: what it no longer names does not come round any more. */
export async function writeTimetable(boss: PgBoss, schedules: readonly Schedule[]): Promise<void> {
  for (const { name, cron } of schedules) {
    await boss.schedule(scheduleQueue, cron, { schedule: name }, { key: name, singletonKey: name, missed: 'once' })
  }
  const named = new Set(schedules.map(({ name }) => name))
  for (const { key } of await boss.getSchedules(scheduleQueue)) {
    if (!named.has(key)) await boss.unschedule(scheduleQueue, key)
  }
}

type Desk = { db: Db; systemDb: SystemDb; log: JobLog; ending: AbortSignal }

export async function runSchedule(
  { db, systemDb, log, ending }: Desk,
  schedules: ReadonlyMap<string, Schedule>,
  { id, data, signal }: Claimed<RunOrder>,
): Promise<JobResult> {
  const schedule = schedules.get(data.schedule)
  const context: ScheduleContext = {
    inSystem: (work) => inSystem(systemDb, work),
    inTenant: (tenantId, work) => inTenant(db, systemIn(tenantId), work),
    signal: AbortSignal.any([signal, ending]),
    log: about(log, { schedule: data.schedule }),
  }
  try {
    if (!schedule) throw new Error(`Nobody here knows the schedule ${data.schedule}.`)
    await schedule.run(context)
    return { id, status: 'completed' }
  } catch (err) {
    context.log.error({ err }, 'periodic work failed')
    return { id, status: 'failed', output: outline(err) }
  }
}

/** Lets a schedule run now instead of waiting for its time. Nothing happens if a run waits or runs already. */
export async function runScheduleNow(name: string): Promise<void> {
  await boss().send(scheduleQueue, { schedule: name } satisfies RunOrder, { singletonKey: name })
  wake(scheduleQueue)
}

export type ScheduleState = {
  name: string
  last_run_at: Date | null
  last_status: 'succeeded' | 'failed' | 'running' | null
  next_run_at: Date | null
  /** Two runs in a row did not happen. */
  overdue: boolean
}

export async function scheduleStates(now: Date): Promise<ScheduleState[]> {
  const timetable = await boss().getSchedules(scheduleQueue)
  const { rows } = await boss().getDb().executeSql(lastRuns, [scheduleQueue])
  const lastRunOf = new Map(rows.map((row: LastRun) => [row.name, row]))
  return await Promise.all(
    timetable.map(async ({ key, cron, createdOn }) => {
      const last: LastRun | undefined = lastRunOf.get(key)
      const [next] = await boss().previewSchedule(cron, { from: now, count: 1 })
      const [, second] = await boss().previewSchedule(cron, { from: last?.started_on ?? createdOn, count: 2 })
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

type LastRun = { name: string; started_on: Date; state: 'active' | 'completed' | 'failed' | 'retry' }

const statuses = { active: 'running', completed: 'succeeded', failed: 'failed', retry: 'failed' } as const

const lastRuns = `
  select distinct on (singleton_key) singleton_key as name, started_on, state
  from pgboss.job_common
  where name = $1 and started_on is not null
  order by singleton_key, started_on desc`

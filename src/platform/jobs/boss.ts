import { PgBoss } from 'pg-boss'
import type { JobLog } from './job.ts'

/** The connections of a pg-boss, for statements of our own on its tables. */
export type QueueDb = ReturnType<PgBoss['getDb']>

type Options = {
  systemUrl: string
  /** What the database calls our connections. */
  name: string
  max: number
  log?: JobLog
  isInstalling?: boolean
  /** Looks after the queues: takes jobs from dead workers, clears up, follows the timetable. */
  isSupervising?: boolean
}

/** A worker that says nothing for this long has lost its jobs; pg-boss allows no less than ten seconds. */
export const heartbeatSeconds = 10

/** With the heartbeat, the first retry delay and a poll this stays below the 30 seconds within which a job is taken over. */
const superviseSeconds = 5

export async function openBoss(options: Options): Promise<PgBoss> {
  const { systemUrl, name, max, log, isInstalling = false, isSupervising = false } = options
  const opened = new PgBoss({
    connectionString: systemUrl,
    application_name: name,
    max,
    schema: 'pgboss',
    createSchema: false,
    migrate: isInstalling,
    supervise: isSupervising,
    schedule: isSupervising,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: 300,
    flowIntervalSeconds: 3_600,
    persistQueueStats: true,
    queueStatRetentionDays: 2,
  })
  // pg-boss tries again by itself; without a listener its trouble would end the process.
  const tell = sparingly((err: unknown) => log?.warn({ err }, 'the job queue is in trouble'))
  opened.on('error', tell)
  opened.on('warning', ({ message }) => log?.warn({ warning: message }, 'the job queue gives a warning'))
  return await opened.start()
}

/** While the database is away everybody who asks for jobs complains, twice a second. */
function sparingly<T>(say: (thing: T) => void): (thing: T) => void {
  let silentUntil = 0
  return (thing) => {
    if (Date.now() < silentUntil) return
    silentUntil = Date.now() + 5_000
    say(thing)
  }
}

let running: { boss: PgBoss; systemUrl: string } | undefined

/** What this process sends jobs with. */
export function boss(): PgBoss {
  if (!running) throw new Error('Jobs are not started: call startJobs first.')
  return running.boss
}

/** For what may be left undone while there is no connection. */
export const findBoss = (): PgBoss | undefined => running?.boss

/** Every process that enqueues starts this once. It sends; working on jobs is `workOnJobs`. */
export async function startJobs({ systemUrl, log }: { systemUrl: string; log?: JobLog }): Promise<void> {
  if (running?.systemUrl === systemUrl) return
  if (running) throw new Error('Jobs are started already, on another database.')
  running = { boss: await openBoss({ systemUrl, name: 'tributary jobs', max: 2, log }), systemUrl }
}

export async function stopJobs(): Promise<void> {
  const stopping = running?.boss
  running = undefined
  await stopping?.stop({ graceful: false })
}

import { PgBoss } from 'pg-boss'
import { connectionMonitoring } from '#platform/db'
import type { JobLog } from './job.ts'

export type QueueDb = ReturnType<PgBoss['getDb']>

type Options = {
  systemUrl: string
  applicationName: string
  max: number
  log?: JobLog
  isInstalling?: boolean
  isSupervising?: boolean
}

/** A worker without a heartbeat for this long loses its jobs; 10 is the minimum of pg-boss. */
export const heartbeatSeconds = 10

/** Together with heartbeat, first retry delay and poll interval below 30 seconds, the limit for taking over a job. */
const superviseSeconds = 5

export const workerApplicationName = 'tributary worker'

export async function openBoss(options: Options): Promise<PgBoss> {
  const { systemUrl, applicationName, max, log, isInstalling = false, isSupervising = false } = options
  const boss = new PgBoss({
    ...connectionMonitoring,
    connectionString: systemUrl,
    application_name: applicationName,
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
  // pg-boss retries by itself, but an 'error' event without a listener would end the process.
  const warn = throttle((err: unknown) => log?.warn({ err }, 'job queue error'))
  boss.on('error', warn)
  boss.on('warning', ({ message }) => log?.warn({ warning: message }, 'job queue warning'))
  return await boss.start()
}

/** Limits the log to one entry per 5 seconds: during a database outage every loop fails twice a second. */
function throttle<T>(write: (value: T) => void): (value: T) => void {
  let silentUntil = 0
  return (value) => {
    if (Date.now() < silentUntil) return
    silentUntil = Date.now() + 5_000
    write(value)
  }
}

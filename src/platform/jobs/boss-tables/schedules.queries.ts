import type { QueueDb } from '../boss.ts'
import { scheduleQueue } from '../queues.ts'

/**
 * Stores that a worker has these schedules and deletes those that no worker has had for a day. Changes no cron expression, because a
 * worker of another version may have registered it.
 */
export async function refreshSchedules(db: QueueDb, names: readonly string[]): Promise<void> {
  await db.executeSql(
    `with refreshed as (
       update pgboss.schedule set updated_on = now() where name = $1 and key = any ($2::text[])
     )
     delete from pgboss.schedule
     where name = $1 and not key = any ($2::text[]) and updated_on < now() - interval '1 day'`,
    [scheduleQueue, names],
  )
}

type ScheduleRunState = 'active' | 'completed' | 'failed' | 'retry'
type LastScheduleRun = { name: string; started_on: Date; state: ScheduleRunState }

export async function listLastScheduleRuns(db: QueueDb): Promise<LastScheduleRun[]> {
  const { rows } = await db.executeSql(
    `select distinct on (singleton_key) singleton_key as name, started_on, state
     from pgboss.job_common
     where name = $1 and started_on is not null
     order by singleton_key, started_on desc`,
    [scheduleQueue],
  )
  return rows
}

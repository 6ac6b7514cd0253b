import type { PgBoss } from 'pg-boss'
import { heartbeatSeconds, openBoss } from './boss.ts'
import { deadLettersOf, type Queue, queues, scheduleQueue, shapes } from './queues.ts'

const hour = 3_600
const day = 24 * hour

/** Part of `migrate`: the tables of the queue, its queues, and what a request may do with them. Doing it again changes nothing. */
export async function installJobs(systemUrl: string): Promise<void> {
  const installing = await openBoss({ systemUrl, name: 'tributary migrate', max: 1, isInstalling: true })
  try {
    for (const queue of queues) await installQueue(installing, queue)
    await installSchedules(installing)
    for (const statement of safeguards) await installing.getDb().executeSql(statement)
  } finally {
    await installing.stop({ graceful: false })
  }
}

async function installQueue(installing: PgBoss, queue: Queue): Promise<void> {
  const deadLetters = { retentionSeconds: 90 * day, deleteAfterSeconds: day }
  const { retryLimit, expireInSeconds } = shapes[queue]
  const settings = {
    notify: false,
    retryLimit,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 600,
    heartbeatSeconds,
    expireInSeconds,
    retentionSeconds: 30 * day,
    deleteAfterSeconds: hour,
    deadLetter: deadLettersOf(queue),
  }
  await installing.createQueue(deadLettersOf(queue), deadLetters)
  await installing.updateQueue(deadLettersOf(queue), deadLetters)
  await installing.createQueue(queue, settings)
  await installing.updateQueue(queue, settings)
}

/** At most one run of a schedule waits or runs, in all processes together. What is missed is not made up for. */
async function installSchedules(installing: PgBoss): Promise<void> {
  const settings = {
    retryLimit: 3,
    retryDelay: 1,
    heartbeatSeconds,
    expireInSeconds: hour,
    retentionSeconds: hour,
    deleteAfterSeconds: 30 * day,
  }
  await installing.createQueue(scheduleQueue, { policy: 'exclusive', ...settings })
  await installing.updateQueue(scheduleQueue, settings)
}

/** The owner of the tables, pg-boss, is not bound by their policies; the application role is. */
const safeguards = [
  'revoke execute on all functions in schema pgboss from public',
  'grant execute on function pgboss.job_now() to app',
  'grant select on pgboss.queue to app',
  'grant insert, select (id, start_after) on pgboss.job_common to app',
  'alter table pgboss.job_common enable row level security',
  'drop policy if exists own_tenant on pgboss.job_common',
  `create policy own_tenant on pgboss.job_common to app
     using (group_id = platform.current_tenant_id()::text) with check (group_id = platform.current_tenant_id()::text)`,
  // Of the waiting jobs with the same key there is one. pg-boss can promise that too, but only for jobs that all have a key.
  `create unique index if not exists job_common_waiting on pgboss.job_common (name, singleton_key)
     where state = 'created' and singleton_key is not null and policy = 'standard'`,
  // A change that finds its job waiting already holds it back until the change has committed, so that the job sees it.
  `create or replace function pgboss.hold_waiting(queue text, waiting_key text, wanted_at timestamptz) returns boolean
   language sql security definer set search_path = '' as $$
     with held as (
       update pgboss.job_common
       set start_after = least(start_after, coalesce(wanted_at, now())),
         keep_until = keep_until - (start_after - least(start_after, coalesce(wanted_at, now())))
       where name = queue and singleton_key = waiting_key and state = 'created' and policy = 'standard'
         and group_id = platform.current_tenant_id()::text
       returning id
     )
     select exists (select from held)
   $$`,
  'revoke execute on function pgboss.hold_waiting(text, text, timestamptz) from public',
  'grant execute on function pgboss.hold_waiting(text, text, timestamptz) to app',
]

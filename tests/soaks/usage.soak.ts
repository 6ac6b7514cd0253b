import { setTimeout as sleep } from 'node:timers/promises'
import { runTenantSchedule } from '#testing'
import { processMarksSchedule } from '../../src/modules/plg/maintenance/process-marks.jobs.ts'
import { startProcesses } from './killed-processes.ts'
import type { Soak, SoakOptions, TestApp, TestWorkspace } from './soak.ts'

const url = '/api/tenant/plg/events'
const clients = 4

/**
 * Four clients send the same events in their own order and repeat what failed, while API and worker are killed. With few records,
 * only connections of the API are cut, because starting processes takes seconds.
 */
export const usageWithKills: Soak = {
  name: 'usage events with kills',
  sizes: { test: 300, nightly: 20_000, full: 200_000 },
  run: runUsageSoak,
}

const emailOf = (n: number) => `user-${n}@soak.example`
const leadEmails = [0, 1, 2, 3, 4].map(emailOf)

const createEvents = (size: number) =>
  Array.from({ length: size }, (_, n) => ({
    event_id: `soak-${n}`,
    name: `event ${n % 9}`,
    user_ref: emailOf((n * 7) % 97),
    ...(n % 3 && { account_ref: `team-${n % 13}` }),
    occurred_at: new Date(Date.now() - (n % 5_000) * 60_000).toISOString(),
  }))

function shuffle<T>(items: readonly T[]): T[] {
  return items
    .map((item) => [Math.random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item)
}

async function runUsageSoak(app: TestApp, { size, isShort, report }: SoakOptions): Promise<string[]> {
  const acme = await app.tenant()
  await Promise.all(leadEmails.map((email) => acme.member.post('/api/leads/', { last_name: 'User', email })))
  const events = createEvents(size)
  // On a busy machine, more cuts than that would repeat most requests.
  const [eventsPerBatch, maxKills] = isShort ? [20, 10] : [100, Number.POSITIVE_INFINITY]
  const batches = Array.from({ length: Math.ceil(size / eventsPerBatch) }, (_, n) =>
    events.slice(n * eventsPerBatch, (n + 1) * eventsPerBatch),
  )
  const processes = isShort ? undefined : await startProcesses(app, acme)
  const post = processes?.post ?? acme.manager.post
  let [isDone, accepted, failures, kills] = [false, 0, 0, 0]
  const send = async () => {
    for (const batch of shuffle(batches))
      for (;;) {
        const { status, body } = await post(url, { events: shuffle(batch) })
        if (status === 200) {
          accepted += Number(body.accepted)
          break
        }
        failures++
        await sleep(20)
      }
  }
  const kill = async () => {
    while (!isDone && kills < maxKills) {
      await sleep(isShort ? 40 : Math.random() * 4_000)
      if (processes) await processes.restart()
      kills += processes ? 1 : await cutConnections(acme)
    }
  }

  const killing = kill()
  await Promise.all(Array.from({ length: clients }, send))
  isDone = true
  await killing
  await processes?.stop()
  await runTenantSchedule(app, processMarksSchedule(app.services))

  report(`${accepted} accepted of ${size} events, ${failures} failed requests, ${kills} kills`)
  // A response can be lost after the commit, so fewer events may be reported as accepted than are stored.
  const numbers = await readNumbers(acme)
  const expected: Record<string, number> = {
    stored: size,
    keys: size,
    event_days: size,
    usage_months: size,
    actor_event_days: numbers.of_actors!,
    actor_days: numbers.active!,
    active_days: numbers.active!,
    first_days: numbers.actors!,
    period_days: numbers.active!,
    marks: 0,
    logged_days: numbers.days_of_leads!,
  }
  return [
    ...(accepted <= size ? [] : [`${accepted} events were accepted`]),
    ...Object.entries(expected).flatMap(([name, count]) =>
      numbers[name] === count ? [] : [`${name} is ${numbers[name]} instead of ${count}`],
    ),
  ]
}

/** Ends connections in the middle of a statement or transaction, as the end of a process does. */
async function cutConnections(acme: TestWorkspace): Promise<number> {
  const { rows } = await acme.sql(
    `select pg_terminate_backend(pid) from (
       select pid from pg_stat_activity where datname = current_database() and usename = 'app' and state <> 'idle'
       order by random() limit 1) as busy`,
  )
  return rows.length
}

async function readNumbers(acme: TestWorkspace): Promise<Record<string, number>> {
  const { rows } = await acme.sql(
    `with days as (select *, (occurred_at at time zone 'UTC')::date as day from plg.events where tenant_id = $1),
      actors as (
        select person_actor_id as actor_id, day from days union all
        select account_actor_id, day from days where account_actor_id is not null)
     select (select count(*)::int from days) as stored, (select count(*)::int from actors) as of_actors,
      (select count(distinct (actor_id, day))::int from actors) as active, (select count(distinct actor_id)::int from actors) as actors,
      (select count(*)::int from plg.event_keys where tenant_id = $1) as keys,
      (select sum(events)::int from plg.event_days where tenant_id = $1) as event_days,
      (select sum(events)::int from plg.actor_event_days where tenant_id = $1) as actor_event_days,
      (select count(*)::int from plg.actor_days where tenant_id = $1) as actor_days,
      (select sum(actors)::int from plg.active_days where tenant_id = $1) as active_days,
      (select count(*)::int from plg.first_days where tenant_id = $1) as first_days,
      (select sum(accepted)::int from plg.usage_months where tenant_id = $1) as usage_months,
      (select sum(length(replace(days::bit(32)::text, '0', '')))::int from plg.actor_periods where tenant_id = $1) as period_days,
      (select count(*)::int from plg.actor_marks where tenant_id = $1) as marks,
      (select count(*)::int from crm.activities where tenant_id = $1 and type = 'product_used') as logged_days,
      (select count(*)::int from plg.actor_days join plg.actors using (tenant_id) where tenant_id = $1 and actor_id = actors.id
        and actors.ref = any ($2)) as days_of_leads`,
    [acme.id, leadEmails],
  )
  return rows[0]
}

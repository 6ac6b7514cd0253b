import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { addDays } from '#platform/calendar'
import { daysLater } from '#platform/clock'
import { inTenant } from '#platform/db'
import { runTenantSchedule, waitUntil } from '#testing'
import { createIntegrityRunner } from '../../operations/integrity/integrity.fixture.ts'
import { recountDays } from '../integrity/day-counts.service.ts'
import { purgeEventsSchedule } from '../maintenance/purge-events.jobs.ts'
import { dashboardUrl, plgSettingsUrl, retentionUrl, sendEvents, startUsageApp, usageEvent } from '../plg.fixture.ts'
import { dropCachedNumbers } from '../usage-store/usage-store.ts'
import { copyBatch, deleteUnusedBatch, finishRebuild, rebuildBatch, startRebuild } from './rebuild.service.ts'
import { readRollUps } from './roll-ups.fixture.ts'

const { tenant, services, systemDb, startTestWorker } = await startUsageApp()
const yesterday = addDays(new Date().toISOString().slice(0, 10), -1)
const inDays = (days: number) => daysLater(new Date(), days)
type Acme = Awaited<ReturnType<typeof tenant>>

const setTimezone = (acme: Acme, timezone: string) => acme.admin.patch('/api/admin/settings', { general: { timezone } })
const activeDaysOf = async (acme: Acme) =>
  (await acme.viewer.get(`${dashboardUrl}?period=7d`)).body.trend
    .filter(({ active }: { active: number }) => active > 0)
    .map(({ day_on }: { day_on: string }) => day_on)
const dataOf = async (acme: Acme) => (await acme.viewer.get(dashboardUrl)).body.data

// Runs before the worker of the next tests starts, which would rebuild the roll-ups at the same time.
test('a rebuild that is no longer needed is abandoned', async () => {
  const acme = await tenant()
  const run = <T>(work: Parameters<typeof inTenant<T>>[2]) => inTenant(services.db, systemActor(acme.id), work)
  await sendEvents(acme.manager, usageEvent())
  await acme.manager.put(plgSettingsUrl, { inactive_events: ['project_created'] })
  assert.equal(await run((tx) => startRebuild(tx, new Date())), true)
  await acme.manager.put(plgSettingsUrl, {})

  assert.equal(await run((tx) => startRebuild(tx, new Date())), false)
  await sendEvents(acme.manager, usageEvent({ user_ref: 'other' }))
  assert.equal((await acme.viewer.get(dashboardUrl)).body.active.dau, 2)
})

const runFor =
  (acme: Acme) =>
  <T>(work: Parameters<typeof inTenant<T>>[2]) =>
    inTenant(services.db, systemActor(acme.id), work)

async function rebuild(acme: Acme): Promise<void> {
  const run = runFor(acme)
  assert.equal(await run((tx) => startRebuild(tx, new Date())), true)
  while (await run(copyBatch));
  while (await run(rebuildBatch));
  assert.equal(await run((tx) => finishRebuild(tx, new Date())), true)
}

const ago = (days: number) => inDays(-days).toISOString()

/** A workspace that keeps events for 90 days, with people who were active before. */
async function startWithPurgedEvents(): Promise<Acme> {
  const acme = await tenant()
  await acme.manager.put(plgSettingsUrl, { accept_past_days: 730 })
  await acme.admin.patch('/api/admin/settings', { retention: { plg_event_days: 90 } })
  const people = Array.from({ length: 10 }, (_, n) => `u${n}`)
  await sendEvents(
    acme.manager,
    ...people.flatMap((user_ref) =>
      [300, 200, 100, 5].map((days) => usageEvent({ user_ref, account_ref: 'team', occurred_at: ago(days) })),
    ),
  )
  await runTenantSchedule({ db: services.db, systemDb }, purgeEventsSchedule(services))
  return acme
}

async function readHistory(acme: Acme) {
  await dropCachedNumbers(services.cache, acme.id)
  const year = (await acme.viewer.get(`${dashboardUrl}?period=365d`)).body
  const month = (await acme.viewer.get(`${dashboardUrl}?period=30d`)).body
  const { cohorts } = (await acme.viewer.get(`${retentionUrl}?granularity=month&periods=12`)).body
  return {
    events: year.events.total,
    newInYear: year.new_people.count,
    newInMonth: month.new_people.count,
    cohorts: cohorts.map(({ size, cells }: { size: number; cells: { count: number }[] }) => [
      size,
      ...cells.map(({ count }) => count),
    ]),
  }
}

test('a changed setting keeps the numbers of days whose events were deleted', async () => {
  const acme = await startWithPurgedEvents()
  const before = await readHistory(acme)
  const stored = await readRollUps(acme)
  assert.deepEqual([before.events, before.newInYear, before.newInMonth], [40, 10, 0])

  const { body } = await acme.manager.put(plgSettingsUrl, { accept_past_days: 730, inactive_events: ['page_ping'] })
  await rebuild(acme)

  const counted = addDays(new Date().toISOString().slice(0, 10), -89)
  assert.equal(body.recalculated_from_on, counted)
  assert.equal((await acme.viewer.get(dashboardUrl)).body.data.recalculated_from_on, counted)
  assert.deepEqual(await readHistory(acme), before)
  assert.deepEqual(await readRollUps(acme), stored)
})

test('events of copied days that arrive during and after a rebuild are counted once', async () => {
  const acme = await startWithPurgedEvents()
  const run = runFor(acme)
  const late = (user_ref: string) =>
    sendEvents(acme.manager, ...[250, 100, 50].map((days) => usageEvent({ user_ref, occurred_at: ago(days) })))
  await acme.manager.put(plgSettingsUrl, { accept_past_days: 730, inactive_events: ['page_ping'] })

  assert.equal(await run((tx) => startRebuild(tx, new Date())), true)
  await late('u1')
  assert.equal(await run(copyBatch), true)
  await late('u2')
  while (await run(copyBatch)) await late('new')
  await late('u3')
  while (await run(rebuildBatch));
  await late('u4')
  const current = await readRollUps(acme)
  assert.equal(await run((tx) => finishRebuild(tx, new Date())), true)

  assert.deepEqual(await readRollUps(acme), current)
})

test('events are counted once on the day from which a rebuild counts, whatever time zones follow each other', async () => {
  const acme = await startWithPurgedEvents()
  const before = (await readHistory(acme)).events
  const boundary = addDays(new Date().toISOString().slice(0, 10), -89)
  const atBoundary = Array.from({ length: 50 }, (_, n) =>
    usageEvent({ user_ref: 'u1', occurred_at: new Date(Date.parse(boundary) + (n - 24) * 3_600_000).toISOString() }),
  )
  await sendEvents(acme.manager, ...atBoundary)

  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin', 'UTC']) {
    await setTimezone(acme, timezone)
    await rebuild(acme)
    const { events, newInYear } = await readHistory(acme)
    assert.deepEqual([timezone, events, newInYear], [timezone, before + 50, 10])
  }
})

test('former numbers are deleted a week after a rebuild, and events are not deleted during one', async () => {
  const acme = await startWithPurgedEvents()
  const run = runFor(acme)
  const countRows = async (table: string) =>
    (await acme.sql(`select count(*)::int as n from plg.${table} where tenant_id = $1`, [acme.id])).rows[0].n
  const purgeLater = () =>
    runTenantSchedule({ db: services.db, systemDb }, purgeEventsSchedule({ clock: { now: () => inDays(100) } }))
  await acme.manager.put(plgSettingsUrl, { accept_past_days: 730, inactive_events: ['page_ping'] })
  await run((tx) => startRebuild(tx, new Date()))
  const events = await countRows('events')
  await purgeLater()
  assert.equal(await countRows('events'), events)

  while (await run(copyBatch));
  while (await run(rebuildBatch));
  await run((tx) => finishRebuild(tx, new Date()))
  const rows = await countRows('event_days')
  assert.equal(await run((tx) => deleteUnusedBatch(tx, inDays(6))), false)
  assert.equal(await countRows('event_days'), rows)
  while (await run((tx) => deleteUnusedBatch(tx, inDays(8))));
  assert.ok((await countRows('event_days')) < rows)
  await purgeLater()
  assert.equal(await countRows('events'), 0)
})

test('engagement-3-5 a changed time zone moves events to other days, after the numbers were calculated again', async () => {
  const acme = await tenant()
  assert.equal((await setTimezone(acme, 'Europe/Berlin')).status, 200)
  await sendEvents(acme.manager, usageEvent({ occurred_at: `${addDays(yesterday, -1)}T23:30:00Z` }))
  assert.deepEqual(await activeDaysOf(acme), [yesterday])
  assert.equal((await dataOf(acme)).rebuilding, false)

  await setTimezone(acme, 'UTC')
  await sendEvents(
    acme.manager,
    usageEvent({ user_ref: 'other', name: 'later', occurred_at: `${yesterday}T12:00:00Z` }),
  )
  assert.equal((await dataOf(acme)).rebuilding, true)
  assert.deepEqual(await activeDaysOf(acme), [yesterday])
  await startTestWorker()
  await waitUntil(async () => {
    await sendEvents(acme.manager, usageEvent({ user_ref: 'other', occurred_at: `${yesterday}T12:00:00Z` }))
    return !(await dataOf(acme)).rebuilding
  })
  assert.deepEqual(await activeDaysOf(acme), [addDays(yesterday, -1), yesterday])
})

test('a rebuild gives the numbers that the events were stored with, also while events arrive', async () => {
  const acme = await tenant()
  const run = <T>(work: Parameters<typeof inTenant<T>>[2]) => inTenant(services.db, systemActor(acme.id), work)
  const batch = (from: number) =>
    Array.from({ length: 200 }, (_, n) =>
      usageEvent({
        name: n % 5 ? `n${n % 7}` : 'idle',
        user_ref: `u${(from + n) % 23}`,
        account_ref: n % 2 ? `t${n % 4}` : undefined,
        occurred_at: `${addDays(yesterday, -(n % 40))}T0${n % 10}:10:00Z`,
      }),
    )
  await sendEvents(acme.manager, ...batch(0))
  await acme.sql(`update plg.states set inactive_events = '{idle}', generation = 7 where tenant_id = $1`, [acme.id])

  assert.equal(await run((tx) => startRebuild(tx, new Date())), true)
  await sendEvents(acme.manager, ...batch(5))
  while (await run(rebuildBatch));
  await sendEvents(acme.manager, ...batch(11))
  assert.equal(await run((tx) => finishRebuild(tx, new Date())), true)
  const rebuilt = await readRollUps(acme)
  await sendEvents(acme.manager, ...batch(17))
  const grown = await readRollUps(acme)

  assert.notDeepEqual(rebuilt, grown)
  await acme.sql(`update plg.states set timezone = 'Europe/Berlin' where tenant_id = $1`, [acme.id])
  assert.equal(await run((tx) => startRebuild(tx, new Date())), true)
  while (await run(rebuildBatch));
  assert.equal(await run((tx) => finishRebuild(tx, new Date())), true)
  assert.deepEqual(await readRollUps(acme), grown)
  while (await run((tx) => deleteUnusedBatch(tx, inDays(8))));
  const { rows } = await acme.sql('select distinct generation from plg.actor_event_days where tenant_id = $1', [
    acme.id,
  ])
  assert.deepEqual(rows, [{ generation: 9 }])
})

test('numbers of a day that differ from its events are found and counted again', async () => {
  const acme = await tenant()
  const { find } = createIntegrityRunner(services)
  await sendEvents(acme.manager, usageEvent({ occurred_at: `${yesterday}T10:00:00Z` }), usageEvent())
  assert.deepEqual(await find(acme.id, 'counter_drift'), [])
  await acme.sql('update plg.event_days set events = events + 3 where tenant_id = $1 and day = $2', [
    acme.id,
    yesterday,
  ])

  assert.deepEqual(await find(acme.id, 'counter_drift'), [yesterday])
  const corrected = await inTenant(services.db, systemActor(acme.id), (tx) => recountDays(tx, [yesterday]))
  assert.equal(corrected, 1)
  assert.deepEqual(await find(acme.id, 'counter_drift'), [])
})

test('events are deleted after the retention of the workspace, and the numbers stay', async () => {
  const acme = await tenant()
  await acme.manager.put(plgSettingsUrl, { accept_past_days: 730 })
  await acme.admin.patch('/api/admin/settings', { retention: { plg_event_days: 90 } })
  const old = new Date(Date.now() - 100 * 86_400_000).toISOString()
  await sendEvents(acme.manager, usageEvent({ occurred_at: old }), usageEvent())

  await runTenantSchedule({ db: services.db, systemDb }, purgeEventsSchedule(services))

  const { rows } = await acme.sql('select count(*)::int as n from plg.events where tenant_id = $1', [acme.id])
  const { events } = (await acme.viewer.get(`${dashboardUrl}?period=180d`)).body
  assert.deepEqual([rows[0].n, events.total], [1, 2])
})

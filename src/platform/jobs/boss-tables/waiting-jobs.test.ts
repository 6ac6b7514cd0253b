// Functions on private tables of pg-boss, together with its public API. A new version of pg-boss must pass this file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { enterTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { enqueue, enqueueMany } from '../enqueue.ts'
import { scheduleQueue } from '../queues.ts'
import { startBossTables } from './boss-tables.fixture.ts'
import { listDeadJobs } from './dead-letters.queries.ts'
import { listLastScheduleRuns, refreshSchedules } from './schedules.queries.ts'
import { getQueueStats, getTenantQueueStats } from './stats.queries.ts'
import { grantTableAccess } from './table-access.queries.ts'
import {
  deleteTenantJobs,
  groupTenantsByJob,
  holdWaitingJobs,
  listRunningPayloadValues,
  prepareTenantJobs,
} from './waiting-jobs.queries.ts'

const tables = await startBossTables()
const { owner, jobQueue, boss, db, queue, job, acme, globex, inTenant, listJobs } = tables
const { add, addDead, asSystem, claim, claimNew } = tables

const secondsUntil = (time: Date) => (time.getTime() - Date.now()) / 1_000

test('a waiting job is held and brought forward, a claimed one is not', async () => {
  const key = `${acme}:${job.name}:key`
  const hold = (tenantId: string) =>
    inTenant(tenantId, async (tx) => (await holdWaitingJobs(tx, queue, [{ key }])).size === 0)
  const startAfter = new Date(Date.now() + 3_600_000)
  await inTenant(acme, (tx) => enqueue(tx, job, {}, { singletonKey: 'key', startAfter }))

  const byOther = await hold(globex)
  const unchanged = await listJobs()
  const byOwner = await hold(acme)
  const [claimed] = await claim()

  assert.deepEqual([byOther, byOwner], [false, true])
  assert.ok(secondsUntil(unchanged[0]!.start_after) > 1_800)
  assert.equal(claimed?.groupId, acme)
  assert.equal(await hold(acme), false)
})

test('only one job per key waits, also if pg-boss inserts it', async () => {
  await add(acme, 'key')
  await add(acme, 'key')
  await add(acme, 'other')

  assert.equal((await listJobs()).length, 2)
})

test('a schedule enqueues for tenants without a waiting job and replaces dead ones', async () => {
  const initech = newId()
  await addDead(acme)
  await add(globex)
  const prepare = () => asSystem((tx) => prepareTenantJobs(tx, job, [acme, globex, initech]))

  assert.deepEqual((await prepare()).toSorted(), [acme, initech].toSorted())
  assert.deepEqual(await listDeadJobs(jobQueue, queue), [])
})

test('tenants are grouped by whether their job runs, without those whose job waits', async () => {
  const [initech, hooli] = [newId(), newId()]
  await addDead(acme)
  await claimNew(globex)
  await add(initech)
  const group = (tenantIds: string[]) => asSystem((tx) => groupTenantsByJob(tx, job, tenantIds))

  const { withoutJob, withRunningJob } = await group([acme, globex, initech, hooli])

  assert.deepEqual(withoutJob.toSorted(), [acme, hooli].toSorted())
  assert.deepEqual(withRunningJob, [globex])
  assert.deepEqual(await listDeadJobs(jobQueue, queue), [])
  assert.deepEqual(await group([]), { withoutJob: [], withRunningJob: [] })
})

test('the payload values of running jobs are listed', async () => {
  const insert = (number: number) =>
    asSystem((tx) => enqueueMany(tx, job, [{ tenantId: acme, payload: { number }, origin: 'job' }]))
  await insert(1)
  await claim()
  await insert(2)
  const list = (field: string) => asSystem((tx) => listRunningPayloadValues(tx, field))

  assert.deepEqual(await list('number'), ['1'])
  assert.deepEqual(await list('missing'), [])
})

test('the jobs of one tenant are deleted in every state', async () => {
  await addDead()
  await claimNew()
  await add()
  await add(globex)
  const states = (await listJobs(`group_id = '${acme}'`)).map(({ state }) => state)

  const deleted = await asSystem(async (tx) => deleteTenantJobs(await enterTenant(tx, systemActor(acme))))

  assert.deepEqual(states.toSorted(), ['active', 'created', 'created', 'failed'])
  assert.equal(deleted, states.length)
  assert.deepEqual(
    (await listJobs()).map(({ group_id }) => group_id),
    [globex],
  )
})

test('statistics count ready, scheduled, running and dead jobs of all tenants or one', async () => {
  await addDead(globex)
  await claimNew()
  await add()
  await inTenant(acme, (tx) => enqueue(tx, job, {}, { startAfter: new Date(Date.now() + 3_600_000) }))
  const expected = { name: queue, ready: 1, scheduled: 1, running: 1 }

  const all = (await getQueueStats(jobQueue)).find(({ name }) => name === queue)
  const ofAcme = (await getTenantQueueStats(jobQueue, acme)).find(({ name }) => name === queue)

  assert.partialDeepStrictEqual(all, { ...expected, failed_24h: 1, dead: 1 })
  assert.partialDeepStrictEqual(ofAcme, { ...expected, failed_24h: 0, dead: 0 })
  assert.ok(all!.oldest_ready_age_seconds! >= 0)
})

test('a schedule that no worker has had for a day is deleted, others are refreshed', async () => {
  const list = async () => (await boss.getSchedules(scheduleQueue)).map(({ key }) => key).toSorted()
  for (const key of ['test.gone', 'test.other', 'test.own'])
    await boss.schedule(scheduleQueue, '0 0 1 1 *', {}, { key })
  await owner.query(`update pgboss.schedule set updated_on = now() - interval '25 hours' where key <> 'test.other'`)

  await refreshSchedules(db, ['test.own'])
  const first = await list()
  await refreshSchedules(db, [])

  assert.deepEqual(first, ['test.other', 'test.own'])
  assert.deepEqual(await list(), first)
  await owner.query('delete from pgboss.schedule')
})

test('the last run of each schedule is listed with its state', async () => {
  const runOnce = async (name: string, end?: 'complete' | 'fail') => {
    await boss.send(scheduleQueue, { schedule: name }, { singletonKey: name, retryLimit: 0 })
    const [run] = await boss.fetch(scheduleQueue)
    if (end) await boss[end](scheduleQueue, run!.id)
  }
  await runOnce('test.failed', 'complete')
  await runOnce('test.failed', 'fail')
  await runOnce('test.completed', 'complete')
  await runOnce('test.running')
  await boss.send(scheduleQueue, { schedule: 'test.waiting' }, { singletonKey: 'test.waiting' })

  const runs = await listLastScheduleRuns(db)

  assert.deepEqual(Object.fromEntries(runs.map(({ name, state }) => [name, state])), {
    'test.completed': 'completed',
    'test.failed': 'failed',
    'test.running': 'active',
  })
  assert.ok(runs.every(({ started_on }) => started_on instanceof Date))
})

test('the application role inserts jobs of its tenant and calls two functions, also after a second installation', async () => {
  await grantTableAccess(db)

  await add()
  const { rows } = await owner.query(
    `select p.proname as name from pg_proc p
     where p.pronamespace = 'pgboss'::regnamespace and has_function_privilege('app', p.oid, 'execute') order by 1`,
  )

  assert.deepEqual(
    rows.map(({ name }) => name),
    ['hold_waiting', 'job_now', 'requeue_job'],
  )
  assert.equal((await listJobs()).length, 1)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { inSystem } from '#platform/db'
import { newId } from '#platform/ids'
import { waitUntil } from '#testing'
import { listDeadJobs } from '../boss-tables/dead-letters.queries.ts'
import { enqueueForTenants } from '../enqueue.ts'
import { runScheduleNow } from '../schedules.ts'
import { startTestQueue } from '../test-queue.fixture.ts'
import { defineFrequentTenantSchedule, defineTenantSchedule } from './tenant-schedules.ts'

const { jobQueue, owner, systemDb, logged, startWorker, startListener, listJobs, skipRetryDelays } =
  await startTestQueue()

const jobsOf = (name: string) => listJobs(`data ->> 'job' = '${name}'`)

test('a tenant whose nightly work fails is retried alone, and suspended tenants are included', async () => {
  const [acme, globex, suspended, deleted] = [newId(), newId(), newId(), newId()]
  const ran: [string, number][] = []
  let isFixed = false
  let runsAcrossTenants = 0
  const sweep = defineTenantSchedule('test.sweep', '0 3 * * *', {
    listTenants: async () => [acme, globex, suspended, deleted],
    async runForTenant({ tenantId, attempt }) {
      ran.push([tenantId, attempt])
      if (tenantId === acme && !isFixed) throw new Error('this tenant fails')
    },
    async run() {
      runsAcrossTenants++
    },
  })
  const statuses = new Map([
    [suspended, 'suspended' as const],
    [deleted, 'gone' as const],
  ])
  const { stop } = await startWorker([], {
    schedules: [sweep],
    listener: await startListener(),
    getTenantStatus: async (id) => statuses.get(id) ?? 'active',
  })

  await runScheduleNow(jobQueue, 'test.sweep')
  await waitUntil(() => [acme, globex, suspended].every((tenantId) => ran.some(([id]) => id === tenantId)))
  isFixed = true
  await waitUntil(async () => {
    await skipRetryDelays()
    return (await jobsOf('test.sweep')).every(({ state }) => state === 'completed')
  })
  await stop()

  const runsOf = (tenantId: string) => ran.filter(([id]) => id === tenantId).length
  assert.ok(runsOf(acme) >= 2)
  assert.deepEqual([runsOf(globex), runsOf(suspended), runsOf(deleted)], [1, 1, 0])
  assert.equal(runsAcrossTenants, 1)
})

test('a schedule that runs again enqueues no second job for tenants whose job waits or is retried', async () => {
  const tenantIds = Array.from({ length: 25 }, newId)
  const { job } = defineTenantSchedule('test.count', '0 3 * * *', {
    listTenants: async () => tenantIds,
    runForTenant: async () => {},
  })
  const enqueueAll = () => inSystem(systemDb, (tx) => enqueueForTenants(tx, job, tenantIds))
  await enqueueAll()
  await owner.query(`update pgboss.job_common set state = 'retry', started_on = now() where group_id = $1`, [
    tenantIds[0],
  ])
  await owner.query(`update pgboss.job_common set state = 'completed', completed_on = now() where group_id = $1`, [
    tenantIds[1],
  ])

  await Promise.all([enqueueAll(), enqueueAll()])

  const jobs = await jobsOf('test.count')
  const [first] = jobs
  const offsets = jobs.slice(0, 25).map(({ start_after }) => Math.round((start_after - first.start_after) / 1_000))
  assert.equal(jobs.length, 26)
  assert.equal(jobs.at(-1).group_id, tenantIds[1])
  assert.deepEqual(Map.groupBy(offsets, (seconds) => seconds).get(2)?.length, 5)
  assert.equal(Math.max(...offsets), 2)
  await owner.query('delete from pgboss.job_common where group_id = any($1)', [tenantIds])
})

test('a new job replaces the dead job of the same tenant', async () => {
  const acme = newId()
  const failing = defineTenantSchedule('test.fail', '0 3 * * *', {
    listTenants: async () => [acme],
    async runForTenant() {
      throw new Error('no luck')
    },
  })
  const { stop } = await startWorker([], { schedules: [failing] })
  const countDead = async () =>
    (await listDeadJobs(jobQueue, 'maintenance')).filter(({ job }) => job === 'test.fail').length
  const fail = async () => {
    await inSystem(systemDb, (tx) => enqueueForTenants(tx, failing.job, [acme]))
    assert.equal(await countDead(), 0)
    await owner.query(`update pgboss.job_common set retry_limit = 0 where group_id = $1`, [acme])
    await waitUntil(async () => (await countDead()) > 0)
  }

  await fail()
  await fail()
  await stop()

  assert.equal(await countDead(), 1)
})

async function countRuns(name: string): Promise<number> {
  const runs = await listJobs(`name = 'schedules' and data ->> 'schedule' = '${name}' and state = 'completed'`)
  return runs.length
}

test('a frequent schedule handles its tenants in one run, several at a time, without jobs', async () => {
  const tenantIds = Array.from({ length: 50 }, newId)
  const [deleted] = tenantIds
  const ran: string[] = []
  const sinces: Date[] = []
  let [running, mostRunning] = [0, 0]
  const fold = defineFrequentTenantSchedule('test.fold', '* * * * *', {
    listTenants: async (_, since) => {
      sinces.push(since)
      return tenantIds
    },
    async runForTenant({ tenantId, inTenant }) {
      mostRunning = Math.max(mostRunning, ++running)
      await inTenant((tx) => sql`select`.execute(tx))
      ran.push(tenantId)
      running--
    },
  })
  const { stop } = await startWorker([], {
    schedules: [fold],
    listener: await startListener(),
    getTenantStatus: async (id) => (id === deleted ? 'gone' : 'active'),
  })

  await runScheduleNow(jobQueue, 'test.fold')
  await waitUntil(async () => (await countRuns('test.fold')) === 1)
  await runScheduleNow(jobQueue, 'test.fold')
  await waitUntil(async () => (await countRuns('test.fold')) === 2)
  await stop()

  assert.deepEqual(new Set(ran), new Set(tenantIds.slice(1)))
  assert.equal(ran.length, 98)
  assert.ok(mostRunning > 1)
  assert.deepEqual(await jobsOf('test.fold'), [])
  assert.equal(sinces[0]?.getTime(), 0)
  assert.ok(sinces[1]! > sinces[0]!)
})

test('a tenant that fails or is slow in a frequent schedule continues in a job of its own, and the others do not wait for it', async () => {
  const [failing, slow, ...others] = Array.from({ length: 8 }, newId) as [string, string, ...string[]]
  const ran: [string, number][] = []
  const slice = Promise.withResolvers<void>()
  const fold = defineFrequentTenantSchedule('test.hand_over', '* * * * *', {
    sliceSeconds: 1,
    listTenants: async () => [failing, slow, ...others],
    async runForTenant({ tenantId, signal, log }) {
      const attempt = ran.filter(([id]) => id === tenantId).length + 1
      ran.push([tenantId, attempt])
      if (tenantId === failing && attempt < 3) throw new Error('this tenant fails')
      if (tenantId !== slow) return
      if (attempt === 1) await sleep(60_000, undefined, { signal }).finally(() => slice.resolve())
      else await sleep(1_100, undefined, { signal })
      log.info({}, 'slow tenant done')
    },
  })
  const { stop } = await startWorker([], { schedules: [fold], listener: await startListener() })

  await runScheduleNow(jobQueue, 'test.hand_over')
  await slice.promise
  const handledDuringSlice = others.every((tenantId) => ran.some(([id]) => id === tenantId))
  await waitUntil(async () => {
    await skipRetryDelays()
    const jobs = await jobsOf('test.hand_over')
    return jobs.length === 2 && jobs.every(({ state }) => state === 'completed')
  })
  await stop()

  const attemptsOf = (tenantId: string) => ran.filter(([id]) => id === tenantId).length
  assert.ok(handledDuringSlice)
  assert.deepEqual([attemptsOf(failing), attemptsOf(slow), ...others.map(attemptsOf)], [3, 2, 1, 1, 1, 1, 1, 1])
  assert.deepEqual(new Set((await jobsOf('test.hand_over')).map(({ group_id }) => group_id)), new Set([failing, slow]))
  const messages = logged.filter(({ details }) => JSON.stringify(details).includes('test.hand_over'))
  for (const text of ['work of a tenant failed and is retried in a job', 'slow tenant done'])
    assert.equal(messages.filter(({ message }) => message === text).length, 1)
})

test('a frequent schedule skips a tenant whose job waits, and a running job is followed by another one', async () => {
  const [waiting, running, free] = [newId(), newId(), newId()]
  const ran: string[] = []
  const fold = defineFrequentTenantSchedule('test.skip', '* * * * *', {
    listTenants: async () => [waiting, running, free],
    runForTenant: async ({ tenantId }) => void ran.push(tenantId),
  })
  await inSystem(systemDb, (tx) => enqueueForTenants(tx, fold.job, [waiting, running]))
  await owner.query(`update pgboss.job_common set start_after = now() + interval '1 hour' where group_id = $1`, [
    waiting,
  ])
  await owner.query(
    `update pgboss.job_common set state = 'active', started_on = now(), heartbeat_on = now() + interval '1 hour' where group_id = $1`,
    [running],
  )
  const { stop } = await startWorker([], { schedules: [fold], listener: await startListener() })

  await runScheduleNow(jobQueue, 'test.skip')
  await waitUntil(async () => (await countRuns('test.skip')) === 1)
  await stop()

  const jobs = (await jobsOf('test.skip')).map(({ group_id, state }) => [group_id, state])
  assert.deepEqual(ran, [free])
  assert.deepEqual(
    new Set(jobs.map(String)),
    new Set(
      [
        [waiting, 'created'],
        [running, 'active'],
        [running, 'created'],
      ].map(String),
    ),
  )
  await owner.query('delete from pgboss.job_common where group_id = any($1)', [[waiting, running]])
})

test('a stopped worker leaves the remaining tenants to the next run, which looks for the same changes again', async () => {
  const tenantIds = Array.from({ length: 20 }, newId)
  const sinces: number[] = []
  let [started, stop] = [0, async () => {}]
  const { promise: unblocked, resolve: unblock } = Promise.withResolvers<void>()
  const fold = defineFrequentTenantSchedule('test.stop', '* * * * *', {
    listTenants: async (_, since) => {
      sinces.push(since.getTime())
      return tenantIds
    },
    async runForTenant() {
      started++
      await unblocked
    },
  })
  const options = { schedules: [fold], listener: await startListener() }
  ;({ stop } = await startWorker([], options))
  await runScheduleNow(jobQueue, 'test.stop')
  await waitUntil(() => started > 0)

  const stopping = stop()
  unblock()
  await stopping
  const startedBeforeStop = started
  ;({ stop } = await startWorker([], options))
  await runScheduleNow(jobQueue, 'test.stop')
  await waitUntil(() => started === startedBeforeStop + 20)
  await stop()

  assert.ok(startedBeforeStop < 20)
  assert.deepEqual(sinces, [0, 0])
  assert.deepEqual(await jobsOf('test.stop'), [])
})

test('work of tenants that is due more often than hourly must be a frequent schedule', () => {
  const options = { listTenants: async () => [], runForTenant: async () => {} }

  assert.throws(() => defineTenantSchedule('test.often', '*/5 * * * *', options), /more often than hourly/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSystem } from '#platform/db'
import { newId } from '#platform/ids'
import { waitUntil } from '#testing'
import { listDeadJobs } from './dead-letters.ts'
import { enqueueForTenants } from './enqueue.ts'
import { runScheduleNow } from './schedules.ts'
import { defineTenantSchedule } from './tenant-schedules.ts'
import { startTestQueue } from './test-queue.fixture.ts'

const { jobQueue, owner, systemDb, startWorker, startListener, listJobs, skipRetryDelays } = await startTestQueue()

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
    ...{ schedules: [sweep], listener: await startListener() },
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

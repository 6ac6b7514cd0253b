import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { systemActor } from '#platform/access'
import { inTenant as inTenantOf } from '#platform/db'
import { newId } from '#platform/ids'
import { waitUntil } from '#testing'
import { unparkJobs } from './boss-tables/claims.queries.ts'
import { listDeadJobs } from './boss-tables/dead-letters.queries.ts'
import { redriveDeadJobs } from './dead-letters.ts'
import { enqueue } from './enqueue.ts'
import { defineJob, defineJobHandler } from './job.ts'
import { onWake } from './job-queue.ts'
import type { JobWorker } from './job-worker.ts'
import { startTestQueue } from './test-queue.fixture.ts'

const { jobQueue, db, owner, inTenant, listJobs, skipRetryDelays, startWorker, startListener } = await startTestQueue()
const jobsOf = (tenantId: string) => listJobs(`group_id = '${tenantId}'`)
const EmptyPayload = Type.Object({})

/** Stops the worker after `work`, so that it does not claim the jobs of the next test. */
async function withWorker(starting: Promise<JobWorker>, work: () => Promise<void>) {
  const { stop } = await starting
  try {
    await work()
  } finally {
    await stop()
  }
}

test('a job runs in its tenant as the system actor', async () => {
  const acme = newId()
  const look = defineJob('test.look', 'bulk', Type.Object({ note: Type.String() }))
  const seen: object[] = []
  const looking = defineJobHandler(look, async ({ tenantId, attempt, inTenant }, { note }) => {
    const { rows } = await inTenant((tx) =>
      sql<{ id: string; role: string; limit: string }>`select platform.current_tenant_id() as id, current_user as role,
        current_setting('statement_timeout') as limit`.execute(tx),
    )
    seen.push({ tenantId, attempt, note, ...rows[0] })
  })
  await inTenant(acme, (tx) => enqueue(tx, look, { note: 'hello' }))

  await withWorker(startWorker([looking]), () => waitUntil(() => seen.length === 1))

  assert.deepEqual(seen, [{ tenantId: acme, attempt: 1, note: 'hello', id: acme, role: 'app', limit: '1min' }])
})

test('jobs enqueued for sample data have the origin sample, also transitively', async () => {
  const actor = { ...systemActor(newId()), origin: 'sample' as const }
  const look = defineJob('test.look_at_origin', 'bulk', EmptyPayload)
  const seen: object[] = []
  const looking = defineJobHandler(look, async ({ inTenant }) => {
    await inTenant(async (tx) => enqueue(tx, ignore, {}))
  })
  const ignore = defineJob('test.ignore', 'bulk', EmptyPayload)
  const ignoring = defineJobHandler(ignore, async () => {})
  await inTenantOf(db, actor, (tx) => enqueue(tx, look, {}))

  await withWorker(startWorker([looking, ignoring]), () =>
    waitUntil(async () => (await jobsOf(actor.tenantId)).filter(({ state }) => state === 'completed').length === 2),
  )

  seen.push(...(await jobsOf(actor.tenantId)).map(({ data }) => data.origin))
  assert.deepEqual(seen, ['sample', 'sample'])
})

test('a failed job is retried, moves to the dead-letter queue after its last attempt, and can be redriven', async () => {
  const acme = newId()
  const poison = defineJob('test.poison', 'webhook', EmptyPayload)
  const attempts: number[] = []
  const notified: string[] = []
  let isFixed = false
  const failing = defineJobHandler(
    poison,
    async ({ attempt }) => {
      attempts.push(attempt)
      if (!isFixed) throw new Error('the cup is full')
    },
    { onDeadLetter: async ({ tenantId }) => void notified.push(tenantId) },
  )
  await inTenant(acme, (tx) => enqueue(tx, poison, {}))

  await withWorker(startWorker([failing]), async () => {
    await waitUntil(async () => {
      await skipRetryDelays()
      return (await listDeadJobs(jobQueue, 'webhook')).length === 1
    })
    await waitUntil(() => notified.length === 1)
    const [dead] = await listDeadJobs(jobQueue, 'webhook')
    isFixed = true
    const moved = await redriveDeadJobs(jobQueue, 'webhook', { tenantId: acme })
    await waitUntil(() => attempts.length === 7)

    assert.deepEqual(attempts, [1, 2, 3, 4, 5, 6, 1])
    assert.equal(dead?.job, 'test.poison')
    assert.equal(dead?.tenant_id, acme)
    assert.equal(dead?.attempts, 6)
    assert.equal(dead?.error?.message, 'the cup is full')
    assert.equal(moved, 1)
    assert.deepEqual(await listDeadJobs(jobQueue, 'webhook'), [])
    assert.deepEqual(notified, [acme])
  })
})

test('a job without a handler is left to a worker of another version without losing an attempt, for a day', async () => {
  const acme = newId()
  const work = defineJob('test.newer', 'webhook', EmptyPayload)
  const attempts: number[] = []
  await inTenant(acme, (tx) => enqueue(tx, work, {}))
  const retriesLeft = async () => {
    const [job] = await jobsOf(acme)
    return job.retry_limit - job.retry_count
  }
  const before = await retriesLeft()

  await withWorker(startWorker([]), async () => {
    for (let times = 1; times <= 8; times++) {
      await waitUntil(async () => (await jobsOf(acme))[0].retry_limit === before + times)
      await skipRetryDelays()
    }
  })
  const after = await retriesLeft()
  const newer = startWorker([defineJobHandler(work, async ({ attempt }) => void attempts.push(attempt))])
  await skipRetryDelays()
  await withWorker(newer, () => waitUntil(() => attempts.length === 1))

  assert.ok(after >= before, `${after} retries left of ${before}`)
  assert.deepEqual(await listDeadJobs(jobQueue, 'webhook'), [])
})

test('a redrive can be limited to one tenant and one job name', async () => {
  const [acme, globex] = [newId(), newId()]
  const [one, other] = ['test.one', 'test.other'].map((name) => defineJob(name, 'media', EmptyPayload))
  for (const [tenantId, job] of [
    [acme, one!],
    [acme, other!],
    [globex, one!],
  ] as const)
    await inTenant(tenantId, (tx) => enqueue(tx, job, {}))
  await owner.query(`update pgboss.job_common set created_on = now() - interval '25 hours' where name = 'media'`)
  await withWorker(startWorker([]), () => waitUntil(async () => (await listDeadJobs(jobQueue, 'media')).length === 3))

  const moved = await redriveDeadJobs(jobQueue, 'media', { tenantId: acme, job: 'test.one' })

  assert.equal(moved, 1)
  assert.deepEqual(
    (await listDeadJobs(jobQueue, 'media')).map(({ job, tenant_id }) => [job, tenant_id]).sort(),
    [
      ['test.one', globex],
      ['test.other', acme],
    ].sort(),
  )
  await owner.query(`delete from pgboss.job_common where name like 'media%'`)
})

test('a job with an outdated payload moves to the dead-letter queue without retries', async () => {
  const acme = newId()
  const before = defineJob('test.renamed', 'ai', Type.Object({ lead: Type.String() }))
  const now = defineJob('test.renamed', 'ai', Type.Object({ lead_id: Type.String() }))
  await inTenant(acme, (tx) => enqueue(tx, before, { lead: 'ada' }))

  const running = startWorker([defineJobHandler(now, async () => assert.fail('must not run'))])
  await withWorker(running, () => waitUntil(async () => (await listDeadJobs(jobQueue, 'ai')).length === 1))

  const [dead] = await listDeadJobs(jobQueue, 'ai')
  assert.equal(dead?.attempts, 1)
  assert.match(dead?.error?.message ?? '', /out of date/)
})

test('jobs of a suspended tenant are parked without losing an attempt and run after it is resumed', async () => {
  const [acme, globex] = [newId(), newId()]
  const work = defineJob('test.work', 'mail', EmptyPayload)
  const ran: [string, number][] = []
  const working = defineJobHandler(work, async ({ tenantId, attempt }) => void ran.push([tenantId, attempt]))
  let status: 'active' | 'suspended' = 'suspended'
  for (let count = 0; count < 12; count++) await inTenant(acme, (tx) => enqueue(tx, work, {}))
  await inTenant(globex, (tx) => enqueue(tx, work, {}))

  const getTenantStatus = async (id: string) => (id === acme ? status : 'active')
  await withWorker(startWorker([working], { getTenantStatus }), async () => {
    await waitUntil(async () => (await jobsOf(acme)).every(({ group_tier }) => group_tier === 'parked'))
    await waitUntil(() => ran.length === 1)
    assert.deepEqual(ran, [[globex, 1]])

    status = 'active'
    const released = await unparkJobs(jobQueue, acme)
    const spread = (await jobsOf(acme)).map(({ start_after }) => start_after.getTime() - Date.now())
    await owner.query(`update pgboss.job_common set start_after = now() where group_id = $1`, [acme])
    await waitUntil(() => ran.length === 13)

    assert.equal(released, 12)
    assert.ok(spread.every((milliseconds) => milliseconds <= 600_000))
    assert.ok(Math.max(...spread) > 60_000)
    assert.ok(ran.every(([, attempt]) => attempt === 1))
  })
})

test('in maintenance, bulk jobs are parked, and emails and maintenance jobs run', async () => {
  const acme = newId()
  const ran: string[] = []
  const handlers = (['bulk', 'events', 'mail', 'maintenance'] as const).map((queue) =>
    defineJobHandler(defineJob(`test.in_${queue}`, queue, EmptyPayload), async () => void ran.push(queue)),
  )
  for (const { job } of handlers) await inTenant(acme, (tx) => enqueue(tx, job, {}))

  await withWorker(startWorker(handlers, { getTenantStatus: async () => 'maintenance' }), () =>
    waitUntil(async () =>
      (await jobsOf(acme)).every(({ group_tier, state }) => group_tier === 'parked' || state === 'completed'),
    ),
  )

  assert.deepEqual(ran.sort(), ['mail', 'maintenance'])
})

test('a job of a deleted tenant completes without running', async () => {
  const acme = newId()
  const work = defineJob('test.deleted_tenant', 'mail', EmptyPayload)
  await inTenant(acme, (tx) => enqueue(tx, work, {}))

  const handlers = [defineJobHandler(work, async () => assert.fail('must not run'))]
  await withWorker(startWorker(handlers, { getTenantStatus: async () => 'gone' }), () =>
    waitUntil(async () => (await jobsOf(acme)).every(({ state }) => state === 'completed')),
  )

  assert.equal((await jobsOf(acme)).length, 1)
})

test('a worker reconnects after its connections were terminated', async () => {
  const acme = newId()
  const work = defineJob('test.go_on', 'mail', EmptyPayload)
  let ran = 0

  await withWorker(startWorker([defineJobHandler(work, async () => void ran++)]), async () => {
    await inTenant(acme, (tx) => enqueue(tx, work, {}))
    await waitUntil(() => ran === 1)
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename in ('app', 'app_system') and datname = current_database()`,
    )
    await sleep(100)
    await inTenant(acme, (tx) => enqueue(tx, work, {}))
    await waitUntil(() => ran === 2)
  })

  assert.equal(ran, 2)
})

test('a job starts immediately after a notification, and by polling without one', async () => {
  const acme = newId()
  const quick = defineJob('test.quick', 'bulk', Type.Object({ ordered: Type.Number() }))
  const waits: number[] = []
  const handler = defineJobHandler(quick, async (_, { ordered }) => void waits.push(Date.now() - ordered))
  const enqueueQuick = () => inTenant(acme, (tx) => enqueue(tx, quick, { ordered: Date.now() }))
  const listener = await startListener()

  await withWorker(startWorker([handler], { listener, pollSeconds: 3 }), async () => {
    await sleep(300)
    await enqueueQuick()
    await waitUntil(() => waits.length === 1)
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()`,
    )
    await waitUntil(() => !listener.isConnected())
    await enqueueQuick()
    await waitUntil(() => waits.length === 2)
  })

  assert.ok(waits[0]! < 1_500, `notified after ${waits[0]} ms`)
  assert.ok(waits[1]! < 4_000, `polled after ${waits[1]} ms`)
})

test('more topics than one notification can hold are all woken', async () => {
  const listener = await startListener()
  const woken = new Set<string>()
  await onWake(listener, (topic) => topic.startsWith('task:') && woken.add(topic))
  const topics = Array.from({ length: 500 }, () => `task:${newId()}`)

  for (const topic of topics) jobQueue.wake(topic)
  await waitUntil(() => woken.size >= topics.length)

  assert.deepEqual([...woken], topics)
})

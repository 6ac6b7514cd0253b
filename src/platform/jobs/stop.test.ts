import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { newId } from '#platform/ids'
import { waitUntil } from '#testing'
import { enqueue } from './enqueue.ts'
import { defineJob, defineJobHandler } from './job.ts'
import { startTestQueue } from './test-queue.fixture.ts'

const { owner, inTenant, listJobs, logged, startWorker } = await startTestQueue()
const jobsOf = (tenantId: string) => listJobs(`group_id = '${tenantId}'`)
const EmptyPayload = Type.Object({})

test('a stopping worker finishes its running jobs and claims no new ones', async () => {
  const acme = newId()
  const slow = defineJob('test.slow', 'media', EmptyPayload)
  const events: string[] = []
  const handler = defineJobHandler(slow, async () => {
    events.push('started')
    await sleep(700)
    events.push('done')
  })
  await inTenant(acme, (tx) => enqueue(tx, slow, {}))
  const { stop } = await startWorker([handler])
  await waitUntil(() => events.length > 0)

  const stopping = stop()
  await inTenant(acme, (tx) => enqueue(tx, slow, {}))
  await stopping

  const [first, second] = await jobsOf(acme)
  assert.deepEqual(events, ['started', 'done'])
  assert.equal(first.state, 'completed')
  assert.ok(['created', 'retry'].includes(second.state))
  await owner.query(`delete from pgboss.job_common where name = 'media'`)
})

test('a stopping worker waits for work that continues after its job', async () => {
  const acme = newId()
  const short = defineJob('test.detached', 'media', EmptyPayload)
  const events: string[] = []
  const handler = defineJobHandler(short, async ({ detach, inTenant }) =>
    detach(async ({ drainSignal }) => {
      events.push('started')
      await new Promise((resolve) => drainSignal.addEventListener('abort', resolve))
      await inTenant((tx) => sql`select`.execute(tx))
      events.push('done')
    }),
  )
  await inTenant(acme, (tx) => enqueue(tx, short, {}))
  const { stop } = await startWorker([handler])
  await waitUntil(async () => (await jobsOf(acme))[0].state === 'completed')

  assert.deepEqual(events, ['started'])
  await stop()
  assert.deepEqual(events, ['started', 'done'])
})

test('a stopping worker releases the jobs of a batch that have not started', async () => {
  const acme = newId()
  const slow = defineJob('test.slow_event', 'events', EmptyPayload)
  const jobs = 12
  let started = 0
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const handler = defineJobHandler(slow, async () => {
    started++
    await released
  })
  await inTenant(acme, async (tx) => {
    for (let count = 0; count < jobs; count++) await enqueue(tx, slow, {})
  })
  const { stop } = await startWorker([handler])
  // Two loops can share the jobs; each runs five at a time.
  await waitUntil(() => started >= 5)

  const stopping = stop()
  release()
  await stopping

  const left = (await jobsOf(acme)).map(
    ({ state, retry_limit, retry_count }) => `${state} ${retry_limit - retry_count}`,
  )
  assert.deepEqual(left.sort(), [
    ...Array<string>(started).fill('completed 15'),
    ...Array<string>(jobs - started).fill('retry 16'),
  ])
})

test('a job that does not finish in time is released without losing an attempt, and its late result is ignored', async () => {
  const acme = newId()
  const endless = defineJob('test.endless', 'ai', EmptyPayload)
  let attempts = 0
  let end = () => {}
  const handler = defineJobHandler(endless, async ({ signal }) => {
    attempts++
    if (attempts > 1) return
    await new Promise<void>((resolve) => {
      end = resolve
    })
    assert.ok(signal.aborted)
  })
  await inTenant(acme, (tx) => enqueue(tx, endless, {}))
  const first = await startWorker([handler])
  await waitUntil(() => attempts === 1)
  const stopRequestedAt = Date.now()

  await first.stop()
  const took = Date.now() - stopRequestedAt
  const [released] = await jobsOf(acme)
  const second = await startWorker([handler])
  await waitUntil(() => attempts === 2)
  end()
  await waitUntil(async () => (await jobsOf(acme))[0].state === 'completed')
  await second.stop()

  assert.ok(took < 11_000)
  assert.equal(released.state, 'retry')
  assert.equal(released.retry_limit - released.retry_count, 8)
})

test('a job that stops on the abort signal is released without losing an attempt', async () => {
  const acme = newId()
  const abortable = defineJob('test.abortable', 'ai', EmptyPayload)
  let attempts = 0
  const handler = defineJobHandler(abortable, async ({ signal }) => {
    attempts++
    await sleep(60_000, undefined, { signal })
  })
  await inTenant(acme, (tx) => enqueue(tx, abortable, {}))
  const { stop } = await startWorker([handler])
  await waitUntil(() => attempts === 1)

  await stop()

  const [released] = await jobsOf(acme)
  assert.equal(released.state, 'retry')
  assert.equal(released.retry_limit - released.retry_count, 8)
  assert.ok(!logged.some(({ details }) => JSON.stringify(details).includes(released.id)))
  await owner.query(`delete from pgboss.job_common where name = 'ai'`)
})

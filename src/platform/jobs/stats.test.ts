import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { newId } from '#platform/ids'
import { createMetrics } from '#platform/telemetry'
import { waitUntil } from '#testing'
import { countLiveWorkers, getQueueStats, getTenantQueueStats } from './boss-tables/stats.queries.ts'
import { enqueue } from './enqueue.ts'
import { defineJob, defineJobHandler } from './job.ts'
import { registerJobMetrics } from './job-metrics.ts'
import { startTestQueue } from './test-queue.fixture.ts'

const { jobQueue, owner, inTenant, skipRetryDelays, startWorker } = await startTestQueue()
const [acme, globex] = [newId(), newId()]
const work = defineJob('test.work', 'webhook', Type.Object({}))
const inAnHour = { startAfter: new Date(Date.now() + 3_600_000) }

test('queue statistics cover all tenants or one tenant', async () => {
  const failing = defineJobHandler(work, async () => assert.fail('no'))
  await inTenant(globex, (tx) => enqueue(tx, work, {}))
  await owner.query('update pgboss.job_common set retry_limit = 0')
  const { stop } = await startWorker([failing])
  await waitUntil(async () => (await getQueueStats(jobQueue)).some(({ dead }) => dead === 1))
  await stop()
  await inTenant(acme, (tx) => enqueue(tx, work, {}))
  await owner.query(`update pgboss.job_common set state = 'active', started_on = now() where group_id = $1`, [acme])
  await inTenant(acme, async (tx) => {
    await enqueue(tx, work, {})
    await enqueue(tx, work, {}, inAnHour)
  })
  await inTenant(globex, (tx) => enqueue(tx, work, {}))
  await owner.query(
    `update pgboss.job_common
     set created_on = now() - interval '70 seconds', start_after = now() - interval '70 seconds'
     where group_id = $1 and state = 'created' and start_after <= now()`,
    [acme],
  )

  const all = (await getQueueStats(jobQueue)).find(({ name }) => name === 'webhook')!
  const ofAcme = (await getTenantQueueStats(jobQueue, acme)).find(({ name }) => name === 'webhook')!
  const ofGlobex = (await getTenantQueueStats(jobQueue, globex)).find(({ name }) => name === 'webhook')!
  const ofNewTenant = await getTenantQueueStats(jobQueue, newId())

  const rounded = Math.round(ofAcme.oldest_ready_age_seconds! / 10) * 10
  assert.deepEqual(
    { ...all, oldest_ready_age_seconds: rounded },
    {
      name: 'webhook',
      ready: 2,
      scheduled: 1,
      running: 1,
      failed_24h: 1,
      dead: 1,
      oldest_ready_age_seconds: 70,
    },
  )
  assert.ok(all.oldest_ready_age_seconds! >= 70)
  assert.deepEqual(
    { ...ofAcme, oldest_ready_age_seconds: rounded },
    {
      name: 'webhook',
      ready: 1,
      scheduled: 1,
      running: 1,
      retrying: 0,
      failed_24h: 0,
      dead: 0,
      oldest_ready_age_seconds: 70,
    },
  )
  assert.deepEqual(
    { ...ofGlobex, oldest_ready_age_seconds: 0 },
    {
      name: 'webhook',
      ready: 1,
      scheduled: 0,
      running: 0,
      retrying: 0,
      failed_24h: 1,
      dead: 1,
      oldest_ready_age_seconds: 0,
    },
  )
  assert.ok(
    ofNewTenant.every(({ ready, oldest_ready_age_seconds }) => ready === 0 && oldest_ready_age_seconds === null),
  )
})

test('live workers are counted', async () => {
  await waitUntil(async () => (await countLiveWorkers(jobQueue)) === 0)
  const [one, other] = [await startWorker([]), await startWorker([])]

  await waitUntil(async () => (await countLiveWorkers(jobQueue)) === 2)
  await one.stop()
  await waitUntil(async () => (await countLiveWorkers(jobQueue)) === 1)

  await other.stop()
  await waitUntil(async () => (await countLiveWorkers(jobQueue)) === 0)
  assert.equal(await countLiveWorkers(jobQueue), 0)
})

test('metrics count the runs of a job by outcome, its failures and retries, and the waiting jobs of its queue', async () => {
  const initech = newId()
  const flicker = defineJob('test.flicker', 'media', Type.Object({}))
  const metrics = createMetrics()
  const measureJob = registerJobMetrics(metrics, jobQueue)
  const flickering = defineJobHandler(flicker, async ({ attempt }) => {
    if (attempt === 1) throw new Error('not yet')
  })
  const readLines = async () => (await metrics.text()).split('\n')
  const hasLine = async (line: string) => (await readLines()).includes(line)
  const countRetrying = async () =>
    (await getTenantQueueStats(jobQueue, initech)).find(({ name }) => name === 'media')!.retrying
  const insert = () => inTenant(initech, (tx) => enqueue(tx, flicker, {}))

  await insert()
  await owner.query(`update pgboss.job_common set created_on = now() - interval '1 hour', start_after = now() - interval '1 hour'
    where name = 'media'`)
  assert.ok(await hasLine('jobs_ready{queue="media"} 1'))
  const age = (await readLines()).find((line) => line.startsWith('jobs_oldest_ready_age_seconds{queue="media"}'))
  assert.ok(Number(age?.split(' ')[1]) >= 3_600)
  const { stop } = await startWorker([flickering], { measureJob })
  await waitUntil(() => hasLine('job_failures_total{job="test.flicker"} 1'))
  await waitUntil(async () => (await countRetrying()) === 1)
  await skipRetryDelays()
  await waitUntil(() => hasLine('job_duration_seconds_count{job="test.flicker",outcome="succeeded"} 1'))
  await stop()

  assert.equal(await countRetrying(), 0)
  assert.ok(await hasLine('job_duration_seconds_count{job="test.flicker",outcome="failed"} 1'))
  assert.ok(await hasLine('job_retries_total{job="test.flicker"} 1'))
  assert.ok(await hasLine('jobs_ready{queue="media"} 0'))
  assert.ok(await hasLine('jobs_oldest_ready_age_seconds{queue="media"} 0'))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { newId } from '#platform/ids'
import { enqueue } from './enqueue.ts'
import { defineJob, handleJob } from './job.ts'
import { startTestWorkshop, until } from './workshop.fixture.ts'

const { owner, inTenant, jobs, logged, startWorker } = await startTestWorkshop()
const jobsOf = (tenantId: string) => jobs(`group_id = '${tenantId}'`)
const Nothing = Type.Object({})

test('a worker that stops lets its jobs finish and takes no new ones', async () => {
  const acme = newId()
  const slow = defineJob('test.slow', 'media', Nothing)
  const events: string[] = []
  const handler = handleJob(slow, async () => {
    events.push('begun')
    await sleep(700)
    events.push('done')
  })
  await inTenant(acme, (tx) => enqueue(tx, slow, {}))
  const { stop } = await startWorker([handler])
  await until(() => events.length === 1)

  const stopping = stop()
  await inTenant(acme, (tx) => enqueue(tx, slow, {}))
  await stopping

  const [first, second] = await jobsOf(acme)
  assert.deepEqual(events, ['begun', 'done'])
  assert.equal(first.state, 'completed')
  assert.ok(['created', 'retry'].includes(second.state))
  await owner.query(`delete from pgboss.job_common where name = 'media'`)
})

test('of a batch, a worker that stops gives back at once what it has not begun', async () => {
  const acme = newId()
  const slow = defineJob('test.slow_event', 'events', Nothing)
  let begun = 0
  const handler = handleJob(slow, async () => {
    begun++
    await sleep(500)
  })
  await inTenant(acme, async (tx) => {
    for (let count = 0; count < 10; count++) await enqueue(tx, slow, {})
  })
  const { stop } = await startWorker([handler])
  await until(() => begun === 5)

  await stop()

  const left = (await jobsOf(acme)).map(
    ({ state, retry_limit, retry_count }) => `${state} ${retry_limit - retry_count}`,
  )
  assert.equal(begun, 5)
  assert.deepEqual(left.sort(), [...Array(5).fill('completed 15'), ...Array(5).fill('retry 16')])
})

test('what does not end in time goes back without losing an attempt, and its late end changes nothing', async () => {
  const acme = newId()
  const endless = defineJob('test.endless', 'ai', Nothing)
  let attempts = 0
  let end = () => {}
  const handler = handleJob(endless, async ({ signal }) => {
    attempts++
    if (attempts > 1) return
    await new Promise<void>((resolve) => {
      end = resolve
    })
    assert.ok(signal.aborted)
  })
  await inTenant(acme, (tx) => enqueue(tx, endless, {}))
  const first = await startWorker([handler])
  await until(() => attempts === 1)
  const begun = Date.now()

  await first.stop()
  const took = Date.now() - begun
  const [returned] = await jobsOf(acme)
  const second = await startWorker([handler])
  await until(() => attempts === 2)
  end()
  await until(async () => (await jobsOf(acme))[0].state === 'completed')
  await second.stop()

  assert.ok(took < 11_000)
  assert.equal(returned.state, 'retry')
  assert.equal(returned.retry_limit - returned.retry_count, 8)
})

test('a job that is put down when asked to goes back without losing an attempt', async () => {
  const acme = newId()
  const patient = defineJob('test.patient', 'ai', Nothing)
  let attempts = 0
  const handler = handleJob(patient, async ({ signal }) => {
    attempts++
    await sleep(60_000, undefined, { signal })
  })
  await inTenant(acme, (tx) => enqueue(tx, patient, {}))
  const { stop } = await startWorker([handler])
  await until(() => attempts === 1)

  await stop()

  const [returned] = await jobsOf(acme)
  assert.equal(returned.state, 'retry')
  assert.equal(returned.retry_limit - returned.retry_count, 8)
  assert.ok(!logged.some(({ details }) => JSON.stringify(details).includes(returned.id)))
  await owner.query(`delete from pgboss.job_common where name = 'ai'`)
})

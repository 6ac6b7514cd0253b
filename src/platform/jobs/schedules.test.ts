import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { waitUntil } from '#testing'
import { scheduleQueue } from './queues.ts'
import { defineSchedule, listScheduleStates, runScheduleNow } from './schedules.ts'
import { startTestQueue } from './test-queue.fixture.ts'

const { jobQueue, owner, startWorker, startListener, logged } = await startTestQueue()

test('a schedule has access to all tenants and runs in one process at a time', async () => {
  const seen: unknown[] = []
  let concurrentRuns = 0
  const sweep = defineSchedule('test.sweep', '0 3 * * *', async ({ inSystem }) => {
    concurrentRuns++
    seen.push((await inSystem((tx) => sql<{ role: string }>`select current_user as role`.execute(tx))).rows[0]?.role)
    await sleep(300)
    seen.push(concurrentRuns)
    concurrentRuns--
  })
  const workers = await Promise.all(
    [1, 2].map(async () => startWorker([], { schedules: [sweep], listener: await startListener() })),
  )

  await Promise.all([runScheduleNow(jobQueue, 'test.sweep'), runScheduleNow(jobQueue, 'test.sweep')])
  await waitUntil(() => seen.length === 2)
  await sleep(700)
  const [state] = await listScheduleStates(jobQueue, new Date())
  for (const { stop } of workers) await stop()

  assert.deepEqual(seen, ['app_system', 1])
  assert.equal(state?.name, 'test.sweep')
  assert.equal(state?.last_status, 'succeeded')
  assert.equal(state?.next_run_at?.getUTCHours(), 3)
  assert.equal(state?.overdue, false)
})

test('schedules are triggered every minute', async () => {
  let runs = 0
  await owner.query('update pgboss.version set cron_on = null')
  const everyMinute = defineSchedule('test.every_minute', '* * * * *', async () => void runs++)

  const { stop } = await startWorker([], { schedules: [everyMinute] })
  await waitUntil(() => runs > 0, 75)
  await stop()

  assert.ok(runs >= 1)
})

test('the state of a schedule shows a failed run', async () => {
  const failing = defineSchedule('test.failing', '0 3 * * *', async () => {
    throw new Error('out of paper')
  })
  const { stop } = await startWorker([], { schedules: [failing] })

  await runScheduleNow(jobQueue, 'test.failing')
  await waitUntil(async () => (await listScheduleStates(jobQueue, new Date()))[0]?.last_status === 'failed')
  await stop()

  assert.ok(logged.some(({ message }) => message === 'schedule failed'))
})

test('a schedule that missed two runs is overdue, and a removed schedule is deleted', async () => {
  const daily = defineSchedule('test.daily', '0 3 * * *', async () => {})
  const { stop } = await startWorker([], { schedules: [daily] })
  await stop()
  await owner.query(`update pgboss.schedule set created_on = now() - interval '3 days'`)

  const states = await listScheduleStates(jobQueue, new Date())

  assert.deepEqual(
    states.map(({ name, overdue, last_run_at }) => ({ name, overdue, last_run_at })),
    [{ name: 'test.daily', overdue: true, last_run_at: null }],
  )
  assert.equal((await jobQueue.getBoss().getSchedules(scheduleQueue)).length, 1)
})

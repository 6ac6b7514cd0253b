import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { waitUntil } from '#testing'
import { refreshSchedules } from './boss-tables/schedules.queries.ts'
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
  await waitUntil(async () => {
    const states = await listScheduleStates(jobQueue, new Date())
    return states.some(({ name, last_status }) => name === 'test.failing' && last_status === 'failed')
  })
  await stop()

  assert.ok(logged.some(({ message }) => message === 'schedule failed'))
})

test('a schedule that missed two runs is overdue', async () => {
  const daily = defineSchedule('test.daily', '0 3 * * *', async () => {})
  const { stop } = await startWorker([], { schedules: [daily] })
  await stop()
  await owner.query(`update pgboss.schedule set created_on = now() - interval '3 days' where key = 'test.daily'`)

  const states = await listScheduleStates(jobQueue, new Date())

  const { overdue, last_run_at } = states.find(({ name }) => name === 'test.daily')!
  assert.deepEqual([overdue, last_run_at], [true, null])
})

test('a restarted worker of the previous version keeps the schedules of the new one, unless none has had them for a day', async () => {
  const define = (name: string) => defineSchedule(name, '0 3 * * *', async () => {})
  const listNames = async () => (await jobQueue.getBoss().getSchedules(scheduleQueue)).map(({ key }) => key)
  const age = (interval: string) =>
    owner.query('update pgboss.schedule set updated_on = now() - $1::interval', [interval])
  const startAndStop = async (...names: string[]) => (await startWorker([], { schedules: names.map(define) })).stop()
  await owner.query('delete from pgboss.schedule')
  await startAndStop('test.old', 'test.new')

  await age('23 hours')
  await startAndStop('test.old')
  const restarted = await listNames()
  await age('25 hours')
  await refreshSchedules(jobQueue.getBoss().getDb(), ['test.new'])
  const refreshed = await listNames()
  await age('25 hours')
  await startAndStop('test.old')

  assert.deepEqual([restarted, refreshed, await listNames()], [['test.new', 'test.old'], ['test.new'], ['test.old']])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { newId } from '#platform/ids'
import { boss } from './boss.ts'
import { scheduleQueue } from './queues.ts'
import { defineSchedule, runScheduleNow, scheduleStates } from './schedules.ts'
import { startTestWorkshop, until } from './workshop.fixture.ts'

const { owner, startWorker, startListener, logged } = await startTestWorkshop()
const acme = newId()

test('periodic work looks across tenants and acts in one of them, in one process at a time', async () => {
  const seen: unknown[] = []
  let atOnce = 0
  const sweep = defineSchedule('test.sweep', '0 3 * * *', async ({ inSystem, inTenant }) => {
    atOnce++
    seen.push((await inSystem((tx) => sql<{ role: string }>`select current_user as role`.execute(tx))).rows[0]?.role)
    seen.push(
      (await inTenant(acme, (tx) => sql<{ id: string }>`select platform.current_tenant_id() as id`.execute(tx))).rows[0]
        ?.id,
    )
    await sleep(300)
    seen.push(atOnce)
    atOnce--
  })
  const workers = await Promise.all(
    [1, 2].map(async () => startWorker([], { schedules: [sweep], listener: await startListener() })),
  )

  await Promise.all([runScheduleNow('test.sweep'), runScheduleNow('test.sweep')])
  await until(() => seen.length === 3)
  await sleep(700)
  const [state] = await scheduleStates(new Date())
  for (const { stop } of workers) await stop()

  assert.deepEqual(seen, ['app_system', acme, 1])
  assert.equal(state?.name, 'test.sweep')
  assert.equal(state?.last_status, 'succeeded')
  assert.equal(state?.next_run_at?.getUTCHours(), 3)
  assert.equal(state?.overdue, false)
})

test('the timetable runs by itself, to the minute', async () => {
  let runs = 0
  await owner.query('update pgboss.version set cron_on = null')
  const everyMinute = defineSchedule('test.every_minute', '* * * * *', async () => void runs++)

  const { stop } = await startWorker([], { schedules: [everyMinute] })
  await until(() => runs > 0, 75)
  await stop()

  assert.ok(runs >= 1)
})

test('periodic work that failed is seen in its state', async () => {
  const failing = defineSchedule('test.failing', '0 3 * * *', async () => {
    throw new Error('out of paper')
  })
  const { stop } = await startWorker([], { schedules: [failing] })

  await runScheduleNow('test.failing')
  await until(async () => (await scheduleStates(new Date()))[0]?.last_status === 'failed')
  await stop()

  assert.ok(logged.some(({ message }) => message === 'periodic work failed'))
})

test('a schedule that did not run twice in a row is overdue, and one the code no longer names is gone', async () => {
  const daily = defineSchedule('test.daily', '0 3 * * *', async () => {})
  const { stop } = await startWorker([], { schedules: [daily] })
  await stop()
  await owner.query(`update pgboss.schedule set created_on = now() - interval '3 days'`)

  const states = await scheduleStates(new Date())

  assert.deepEqual(
    states.map(({ name, overdue, last_run_at }) => ({ name, overdue, last_run_at })),
    [{ name: 'test.daily', overdue: true, last_run_at: null }],
  )
  assert.equal((await boss().getSchedules(scheduleQueue)).length, 1)
})

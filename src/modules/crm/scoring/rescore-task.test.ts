import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { configUrl, marks, startScoringApp, until } from './scoring.fixture.ts'

const { tenant, services, addLeads, capture, versions, startTestWorker } = await startScoringApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const statusOf = async (acme: Acme, { rescore }: { rescore: { status_url: string } }) =>
  (await acme.admin.get(rescore.status_url)).body
const ended = (acme: Acme, body: { rescore: { status_url: string } }) =>
  until(
    () => statusOf(acme, body),
    ({ state }) => ['succeeded', 'failed', 'cancelled'].includes(state),
  )

test('two hundred leads are scored at once, one more makes it a task', async () => {
  const acme = await tenant()
  await addLeads(acme, 200)

  const few = await acme.manager.put(configUrl, marks(60))
  await addLeads(acme, 1)
  const many = await acme.manager.put(configUrl, marks(50))

  assert.deepEqual(few.body.rescore, { mode: 'inline', leads: 200 })
  assert.deepEqual(await versions(acme), { 0: 1, 1: 200 })
  assert.deepEqual(Object.keys(many.body.rescore).sort(), ['mode', 'status_url', 'task_id'])
  assert.equal((await statusOf(acme, many.body)).state, 'queued')
})

test('a task scores all leads and tells how far it is', async () => {
  const acme = await tenant()
  await addLeads(acme, 1_100)
  const { body } = await acme.manager.put(configUrl, marks(60))
  const worker = await startTestWorker()

  const task = await ended(acme, body)
  await worker.stop()

  assert.deepEqual([task.state, task.kind, task.title], ['succeeded', 'leads.rescore', 'Score all leads anew'])
  assert.deepEqual(task.progress, { done: 1_100, total: 1_100 })
  assert.deepEqual(task.result, { version: 1, leads: 1_100 })
  assert.deepEqual(await versions(acme), { 1: 1_100 })
  const { rows } = await acme.sql('select distinct score, grade from crm.leads where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [{ score: 15, grade: 'C' }])
})

test('newer rules take the place of a task that waits, whoever started it', async () => {
  const acme = await tenant()
  const other = await acme.person('manager')
  await addLeads(acme, 300)

  const first = await acme.manager.put(configUrl, marks(60))
  const second = await other.put(configUrl, marks(50))
  const superseded = await statusOf(acme, first.body)
  const worker = await startTestWorker()
  const task = await ended(acme, second.body)
  await worker.stop()

  assert.equal(superseded.state, 'cancelled')
  assert.equal((await statusOf(acme, first.body)).state, 'cancelled')
  assert.equal(task.state, 'succeeded')
  assert.deepEqual(await versions(acme), { 2: 300 })
})

test('newer rules take the place of a task that runs', async () => {
  const acme = await tenant()
  await addLeads(acme, 1_100)
  const held = await holdLastLead(acme)
  const worker = await startTestWorker()

  const first = await acme.manager.put(configUrl, marks(60))
  await until(
    () => statusOf(acme, first.body),
    ({ progress }) => progress.done >= 500,
  )
  const second = await acme.manager.put(configUrl, marks(50))
  await held.release()
  const [older, newer] = [await ended(acme, first.body), await ended(acme, second.body)]
  await worker.stop()

  assert.equal(older.state, 'cancelled')
  assert.equal(newer.state, 'succeeded')
  assert.deepEqual(await versions(acme), { 2: 1_100 })
})

test('a task that lost its worker goes on where it was', async () => {
  const acme = await tenant()
  await addLeads(acme, 1_100)
  const held = await holdLastLead(acme)
  const worker = await startTestWorker()
  const { body } = await acme.manager.put(configUrl, marks(60))
  await until(
    () => statusOf(acme, body),
    ({ progress }) => progress.done >= 1_000,
  )
  const stopped = worker.stop()
  await held.release()
  await stopped
  const next = await startTestWorker()
  const task = await ended(acme, body)
  await next.stop()

  assert.deepEqual([task.state, task.result], ['succeeded', { version: 1, leads: 1_100 }])
  assert.deepEqual(await versions(acme), { 1: 1_100 })
})

test('whatever happens while rules change and change again, every lead ends with the newest', async () => {
  const acme = await tenant()
  await addLeads(acme, 700)
  const { rows } = await acme.sql('select id from crm.leads where tenant_id = $1 order by random() limit 12', [acme.id])
  const worker = await startTestWorker()

  const [answers] = await Promise.all([
    Promise.all(
      [60, 55, 50, 45].map(async (a, index) => {
        await sleep(index * 120)
        return await acme.manager.put(configUrl, marks(a))
      }),
    ),
    ...rows.map(async ({ id }, index) => {
      await sleep(index * 40)
      await acme.member.post(`/api/leads/${id}/recompute-score`)
      await acme.member.patch(`/api/leads/${id}`, { industry: 'Software' })
      await capture(acme, { last_name: 'Roy', title: 'CTO' })
    }),
  ])
  const tasks = await Promise.all(answers.map(({ body }) => ended(acme, body)))
  await worker.stop()

  assert.deepEqual(answers.map(({ body }) => body.version).sort(), [1, 2, 3, 4])
  const last = answers.findIndex(({ body }) => body.version === 4)
  assert.equal(tasks[last].state, 'succeeded')
  assert.ok(tasks.every(({ state }) => state === 'succeeded' || state === 'cancelled'))
  assert.deepEqual(await versions(acme), { 4: 712 })
})

/** Somebody who works on a lead for a while. */
async function holdLastLead(acme: Acme) {
  const holder = await services.db.pool.connect()
  await holder.query('begin')
  await holder.query(`select set_config('app.tenant_id', $1, true)`, [acme.id])
  await holder.query('select id from crm.leads order by id desc limit 1 for update')
  return {
    async release() {
      await holder.query('commit')
      holder.release()
    },
  }
}

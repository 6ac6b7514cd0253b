import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitForValue } from '#testing'
import { configUrl, configWithThreshold, startScoringApp } from './scoring.fixture.ts'

const { tenant, services, addLeads, postLead, countByConfigVersion, startTestWorker } = await startScoringApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const statusOf = async (acme: Acme, { rescore }: { rescore: { status_url: string } }) =>
  (await acme.admin.get(rescore.status_url)).body
const waitForEnd = (acme: Acme, body: { rescore: { status_url: string } }) =>
  waitForValue(
    () => statusOf(acme, body),
    ({ state }) => ['succeeded', 'failed', 'cancelled'].includes(state),
  )

test('200 leads are rescored inline, 201 in a task', async () => {
  const acme = await tenant()
  await addLeads(acme, 200)

  const few = await acme.manager.put(configUrl, configWithThreshold(60))
  await addLeads(acme, 1)
  const many = await acme.manager.put(configUrl, configWithThreshold(50))

  assert.deepEqual(few.body.rescore, { mode: 'inline', leads: 200 })
  assert.deepEqual(await countByConfigVersion(acme), { 0: 1, 1: 200 })
  assert.deepEqual(Object.keys(many.body.rescore).sort(), ['mode', 'status_url', 'task_id'])
  assert.equal((await statusOf(acme, many.body)).state, 'queued')
})

test('a task rescores all leads and reports its progress', async () => {
  const acme = await tenant()
  await addLeads(acme, 1_100)
  const { body } = await acme.manager.put(configUrl, configWithThreshold(60))
  const worker = await startTestWorker()

  const task = await waitForEnd(acme, body)
  await worker.stop()

  assert.deepEqual([task.state, task.kind, task.title], ['succeeded', 'leads.rescore', 'Rescore all leads'])
  assert.deepEqual(task.progress, { done: 1_100, total: 1_100 })
  assert.deepEqual(task.result, { version: 1, leads: 1_100 })
  assert.deepEqual(await countByConfigVersion(acme), { 1: 1_100 })
  const { rows } = await acme.sql('select distinct score, grade from crm.leads where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [{ score: 15, grade: 'C' }])
})

test('a newer config cancels a queued task, even of another user', async () => {
  const acme = await tenant()
  const other = await acme.person('manager')
  await addLeads(acme, 300)

  const first = await acme.manager.put(configUrl, configWithThreshold(60))
  const second = await other.put(configUrl, configWithThreshold(50))
  const superseded = await statusOf(acme, first.body)
  const worker = await startTestWorker()
  const task = await waitForEnd(acme, second.body)
  await worker.stop()

  assert.equal(superseded.state, 'cancelled')
  assert.equal((await statusOf(acme, first.body)).state, 'cancelled')
  assert.equal(task.state, 'succeeded')
  assert.deepEqual(await countByConfigVersion(acme), { 2: 300 })
})

test('a newer config cancels a running task', async () => {
  const acme = await tenant()
  await addLeads(acme, 1_100)
  const lock = await lockLastLead(acme)
  const worker = await startTestWorker()

  const first = await acme.manager.put(configUrl, configWithThreshold(60))
  await waitForValue(
    () => statusOf(acme, first.body),
    ({ progress }) => progress.done >= 500,
  )
  const second = await acme.manager.put(configUrl, configWithThreshold(50))
  await lock.release()
  const [older, newer] = [await waitForEnd(acme, first.body), await waitForEnd(acme, second.body)]
  await worker.stop()

  assert.equal(older.state, 'cancelled')
  assert.equal(newer.state, 'succeeded')
  assert.deepEqual(await countByConfigVersion(acme), { 2: 1_100 })
})

test('a task that lost its worker resumes from its checkpoint', async () => {
  const acme = await tenant()
  await addLeads(acme, 1_100)
  const lock = await lockLastLead(acme)
  const worker = await startTestWorker()
  const { body } = await acme.manager.put(configUrl, configWithThreshold(60))
  await waitForValue(
    () => statusOf(acme, body),
    ({ progress }) => progress.done >= 1_000,
  )
  const stopped = worker.stop()
  await lock.release()
  await stopped
  const next = await startTestWorker()
  const task = await waitForEnd(acme, body)
  await next.stop()

  assert.deepEqual([task.state, task.result], ['succeeded', { version: 1, leads: 1_100 }])
  assert.deepEqual(await countByConfigVersion(acme), { 1: 1_100 })
})

test('all leads end with the newest config despite concurrent config and lead changes', async () => {
  const acme = await tenant()
  await addLeads(acme, 700)
  const { rows } = await acme.sql('select id from crm.leads where tenant_id = $1 order by random() limit 12', [acme.id])
  const worker = await startTestWorker()

  const [responses] = await Promise.all([
    Promise.all(
      [60, 55, 50, 45].map(async (a, index) => {
        await sleep(index * 120)
        return await acme.manager.put(configUrl, configWithThreshold(a))
      }),
    ),
    ...rows.map(async ({ id }, index) => {
      await sleep(index * 40)
      await acme.member.post(`/api/leads/${id}/recompute-score`)
      await acme.member.patch(`/api/leads/${id}`, { industry: 'Software' })
      await postLead(acme, { last_name: 'Roy', title: 'CTO' })
    }),
  ])
  const tasks = await Promise.all(responses.map(({ body }) => waitForEnd(acme, body)))
  await worker.stop()

  assert.deepEqual(responses.map(({ body }) => body.version).sort(), [1, 2, 3, 4])
  const last = responses.findIndex(({ body }) => body.version === 4)
  assert.equal(tasks[last].state, 'succeeded')
  assert.ok(tasks.every(({ state }) => state === 'succeeded' || state === 'cancelled'))
  assert.deepEqual(await countByConfigVersion(acme), { 4: 712 })
})

/** Locks the last lead until `release`. */
async function lockLastLead(acme: Acme) {
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWorkerProcess } from '#testing'
import { startScoringApp, until } from '../scoring/scoring.fixture.ts'

const { tenant, addLeads, config, owner, startTestWorker } = await startScoringApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const url = '/api/leads/'
const idsIn = async (acme: Acme): Promise<string[]> =>
  (await acme.sql('select id from crm.leads where tenant_id = $1 order by id', [acme.id])).rows.map(({ id }) => id)
const taskSeenBy = async (somebody: Acme['admin'], { status_url }: { status_url: string }) =>
  (await somebody.get(status_url)).body
const task = async (acme: Acme, { status_url }: { status_url: string }) => (await acme.member.get(status_url)).body
const ended = (acme: Acme, started: { status_url: string }) =>
  until(
    () => task(acme, started),
    ({ state }) => ['succeeded', 'failed', 'cancelled'].includes(state),
    60,
  )
const told = async (acme: Acme, type: string) => (await acme.events()).filter((one) => one === type).length

test('crm-1-9 more than 200 leads are a task, and a killed worker leaves nothing undone or done twice', async () => {
  const acme = await tenant()
  await addLeads(acme, 300)
  const ids = await idsIn(acme)
  await acme.member.post(`${url}${ids[3]}/convert`)
  const held = await holdLead(ids[220]!)
  const doomed = await startWorkerProcess(config)

  const params = { status: 'working' }
  const { body } = await acme.member.post(`${url}bulk`, { action: 'set_status', lead_ids: ids, params })
  const before = await until(
    () => task(acme, body),
    ({ progress }) => progress.done >= 150,
  )
  await doomed.kill()
  await held.release()
  // What the queue does by itself when it has missed the worker for a while.
  await acme.sql(
    `update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where state = 'active'`,
  )
  const heir = await startTestWorker()
  const done = await ended(acme, body)
  await heir.stop()

  assert.equal(body.total, 300)
  assert.equal(done.state, 'succeeded')
  assert.ok(done.progress.done >= before.progress.done)
  assert.partialDeepStrictEqual(done.result, { total: 300, succeeded: 299, unchanged: 0, failed: 1 })
  assert.deepEqual(
    done.result.failures.map(({ code, lead_ids }: { code: string; lead_ids: string[] }) => [code, lead_ids]),
    [['lead_converted', [ids[3]]]],
  )
  // One of them is the conversion.
  assert.equal(await told(acme, 'lead.status_changed'), 300)
  const { rows } = await acme.sql(
    `select distinct user_id, actor_type from platform.audit_log where tenant_id = $1 and action = 'lead.status_changed'`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ user_id: acme.member.userId, actor_type: 'user' }])
})

test('a task by filter means the leads that matched when it was ordered, and stops when told to', async () => {
  const acme = await tenant()
  await addLeads(acme, 260)
  const worker = await startTestWorker()
  const order = { action: 'set_status', filter: { status: ['new'] }, params: { status: 'working' } }

  const off = await acme.member.post(`${url}bulk`, { ...order, expected_count: 259 })
  const { body } = await acme.member.post(`${url}bulk`, { ...order, expected_count: 260 })
  const done = await ended(acme, body)
  await worker.stop()
  const waiting = await acme.member.post(`${url}bulk`, {
    ...order,
    filter: { status: ['working'] },
    expected_count: 260,
    params: { status: 'nurturing' },
  })
  await acme.member.post(`/api/tasks/${waiting.body.task_id}/cancel`)

  assert.equal(off.body.code, 'selection_changed')
  assert.partialDeepStrictEqual(done.result, { succeeded: 260, failed: 0, failures: [] })
  assert.equal((await task(acme, waiting.body)).state, 'cancelled')
  assert.equal(await told(acme, 'lead.status_changed'), 260)
})

const losses = {
  'were deactivated': { code: 'account_disabled', change: { status: 'deactivated' } },
  'may only look by now': { code: 'scope_required', change: { role: 'viewer' } },
}
for (const [loss, { code, change }] of Object.entries(losses))
  test(`what somebody ordered stops when they ${loss}, and tells what was done`, async () => {
    const acme = await tenant()
    await addLeads(acme, 300)
    const ids = await idsIn(acme)
    const person = await acme.person('member')
    const held = await holdLead(ids[120]!)
    const worker = await startTestWorker()

    const order = { action: 'set_status', lead_ids: ids, params: { status: 'working' } }
    const { body } = await person.post(`${url}bulk`, order)
    await until(
      () => taskSeenBy(acme.admin, body),
      ({ progress }) => progress.done >= 100,
    )
    await acme.admin.patch(`/api/users/${person.userId}`, change)
    await held.release()
    const done = await until(
      () => taskSeenBy(acme.admin, body),
      ({ finished_at }) => finished_at !== null,
    )
    await worker.stop()

    // The chunk at hand is finished.
    assert.deepEqual([done.state, done.error.code, done.progress], ['failed', code, { done: 150, total: 300 }])
    assert.match(done.error.message, /^Whoever ordered this no longer|^Whoever ordered this is no longer/)
    assert.partialDeepStrictEqual(done.result, { total: 300, succeeded: 150, unchanged: 0, failed: 0 })
    assert.equal(await told(acme, 'lead.status_changed'), 150)
  })

test('what a key ordered stops when the key is revoked', async () => {
  const acme = await tenant()
  await addLeads(acme, 250)
  const { body: key } = await acme.member.post('/api/api-keys', { name: 'Writer', scopes: ['leads.write'] })
  const order = { action: 'set_status', lead_ids: await idsIn(acme), params: { status: 'working' } }

  const { body } = await acme.bearer(`ApiKey ${key.key}`).post(`${url}bulk`, order)
  await acme.admin.delete(`/api/api-keys/${key.id}`)
  const worker = await startTestWorker()
  const done = await until(
    () => taskSeenBy(acme.admin, body),
    ({ finished_at }) => finished_at !== null,
  )
  await worker.stop()

  assert.deepEqual([done.state, done.error.code, done.progress.done], ['failed', 'token_revoked', 0])
  assert.equal(await told(acme, 'lead.status_changed'), 0)
})

/** Somebody who works on a lead for a while. */
async function holdLead(id: string) {
  const holder = await owner.connect()
  await holder.query('begin')
  await holder.query('select id from crm.leads where id = $1 for update', [id])
  return {
    async release() {
      await holder.query('commit')
      holder.release()
    },
  }
}

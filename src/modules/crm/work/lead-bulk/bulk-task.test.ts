import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startWorkerProcess, waitForTask, waitForValue } from '#testing'
import { startScoringApp } from '../../people/scoring/scoring.fixture.ts'

const { tenant, addLeads, config, owner, startTestWorker } = await startScoringApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const url = '/api/leads/'
const idsIn = async (acme: Acme): Promise<string[]> =>
  (await acme.sql('select id from crm.leads where tenant_id = $1 order by id', [acme.id])).rows.map(({ id }) => id)
const taskSeenBy = async (user: Acme['admin'], { status_url }: { status_url: string }) =>
  (await user.get(status_url)).body
const task = async (acme: Acme, { status_url }: { status_url: string }) => (await acme.member.get(status_url)).body
const countEvents = async (acme: Acme, type: string) => (await acme.events()).filter((event) => event === type).length

test('crm-1-9 more than 200 leads are updated by a task that survives a killed worker without skipping or repeating leads', async () => {
  const acme = await tenant()
  await addLeads(acme, 300)
  const ids = await idsIn(acme)
  await acme.member.post(`${url}${ids[3]}/convert`)
  const held = await holdLead(ids[220]!)
  const killed = await startWorkerProcess(config)

  const params = { status: 'working' }
  const { body } = await acme.member.post(`${url}bulk`, { action: 'set_status', lead_ids: ids, params })
  const before = await waitForValue(
    () => task(acme, body),
    ({ progress }) => progress.done >= 150,
  )
  await killed.kill()
  await held.release()
  // Simulates the job timeout of the killed worker.
  await acme.sql(
    `update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where state = 'active'`,
  )
  const replacement = await startTestWorker()
  const done = await waitForTask(acme, body, 60)
  await replacement.stop()

  assert.equal(body.total, 300)
  assert.equal(done.state, 'succeeded')
  assert.ok(done.progress.done >= before.progress.done)
  assert.partialDeepStrictEqual(done.result, { total: 300, succeeded: 299, unchanged: 0, failed: 1 })
  assert.deepEqual(
    done.result.failures.map(({ code, lead_ids }: { code: string; lead_ids: string[] }) => [code, lead_ids]),
    [['lead_converted', [ids[3]]]],
  )
  // Includes the conversion.
  assert.equal(await countEvents(acme, 'lead.status_changed'), 300)
  const { rows } = await acme.sql(
    `select distinct user_id, actor_type from platform.audit_log where tenant_id = $1 and action = 'lead.status_changed'`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ user_id: acme.member.userId, actor_type: 'user' }])
})

test('a task uses the leads that matched when it was started, and can be cancelled', async () => {
  const acme = await tenant()
  await addLeads(acme, 260)
  const worker = await startTestWorker()
  const request = { action: 'set_status', query: { status: ['new'] }, params: { status: 'working' } }

  const wrongCount = await acme.member.post(`${url}bulk`, { ...request, expected_count: 259 })
  const { body } = await acme.member.post(`${url}bulk`, { ...request, expected_count: 260 })
  const done = await waitForTask(acme, body, 60)
  await worker.stop()
  const waiting = await acme.member.post(`${url}bulk`, {
    ...request,
    query: { status: ['working'] },
    expected_count: 260,
    params: { status: 'nurturing' },
  })
  await acme.member.post(`/api/tasks/${waiting.body.task_id}/cancel`)

  assert.equal(wrongCount.body.code, 'selection_changed')
  assert.partialDeepStrictEqual(done.result, { succeeded: 260, failed: 0, failures: [] })
  assert.equal((await task(acme, waiting.body)).state, 'cancelled')
  assert.equal(await countEvents(acme, 'lead.status_changed'), 260)
})

const losses = {
  'is deactivated': { code: 'account_disabled', change: { status: 'deactivated' } },
  'becomes a viewer': { code: 'scope_required', change: { role: 'viewer' } },
}
for (const [loss, { code, change }] of Object.entries(losses))
  test(`a bulk task fails when its requester ${loss}, and reports its progress`, async () => {
    const acme = await tenant()
    await addLeads(acme, 300)
    const ids = await idsIn(acme)
    const person = await acme.person('member')
    const held = await holdLead(ids[120]!)
    const worker = await startTestWorker()

    const request = { action: 'set_status', lead_ids: ids, params: { status: 'working' } }
    const { body } = await person.post(`${url}bulk`, request)
    await waitForValue(
      () => taskSeenBy(acme.admin, body),
      ({ progress }) => progress.done >= 100,
    )
    await acme.admin.patch(`/api/users/${person.userId}`, change)
    await held.release()
    const done = await waitForTask(acme, body)
    await worker.stop()

    // The running chunk is finished.
    assert.deepEqual([done.state, done.error.code, done.progress], ['failed', code, { done: 150, total: 300 }])
    assert.match(done.error.message, /^The user who started this task (is no longer active|no longer has)/)
    assert.partialDeepStrictEqual(done.result, { total: 300, succeeded: 150, unchanged: 0, failed: 0 })
    assert.equal(await countEvents(acme, 'lead.status_changed'), 150)
  })

test('a bulk task started with an API key fails when the key is revoked', async () => {
  const acme = await tenant()
  await addLeads(acme, 250)
  const { body: key } = await acme.member.post('/api/api-keys', { name: 'Writer', scopes: ['leads.write'] })
  const request = { action: 'set_status', lead_ids: await idsIn(acme), params: { status: 'working' } }

  const { body } = await acme.bearer(`ApiKey ${key.key}`).post(`${url}bulk`, request)
  await acme.admin.delete(`/api/api-keys/${key.id}`)
  const worker = await startTestWorker()
  const done = await waitForTask(acme, body)
  await worker.stop()

  assert.deepEqual([done.state, done.error.code, done.progress.done], ['failed', 'token_revoked', 0])
  assert.equal(await countEvents(acme, 'lead.status_changed'), 0)
})

/** Holds a row lock on a lead. */
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

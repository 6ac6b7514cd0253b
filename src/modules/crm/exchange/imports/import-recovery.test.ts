import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { enterTenant, inSystem } from '#platform/db'
import { startTestApp, startWorkerProcess, waitForBlockedSessions, waitForTask, waitForValue } from '#testing'
import { createIntegrityRunner } from '../../../operations/integrity/integrity.fixture.ts'
import { countsOf, createImportClient, createLead, noRows } from './imports.fixture.ts'

const testApp = await startTestApp({}, { isOwn: true })
const { tenant, startTestWorker, config, owner, services, systemDb } = testApp
const { prepare, start, rowsOf } = createImportClient(testApp)

type Acme = Awaited<ReturnType<typeof tenant>>

const fileOf = (rows: number, emailOf = (n: number) => `p${n}@recovery.example`) =>
  `email,last_name\n${Array.from({ length: rows }, (_, n) => `${emailOf(n + 1)},Person ${n + 1}`).join('\n')}\n`

const createKnown = (acme: Acme, email: string) => createLead(acme, { last_name: 'Known', email })

/** Locks a lead, so that a worker stops within the batch that updates it. */
async function holdLead({ id }: { id: string }) {
  const client = await owner.connect()
  await client.query('begin')
  await client.query('select from crm.leads where id = $1 for update', [id])
  return {
    async release(): Promise<void> {
      await client.query('rollback')
      client.release()
    },
  }
}

const importOf = async (acme: Acme, id: string) => (await acme.manager.get(`/api/leads/imports/${id}`)).body

test('crm-9-5 an import whose worker is killed in row 700 of 1,000 has 1,000 outcomes and no record twice', async () => {
  const acme = await tenant()
  const id = await prepare(acme, fileOf(1_000))
  const held = await holdLead(await createKnown(acme, 'p700@recovery.example'))
  const killed = await startWorkerProcess(config)

  const task = await start(acme, id)
  // The batch of the rows from 501 on has created its leads and waits for the lead of row 700.
  await waitForValue(
    () => importOf(acme, id),
    ({ created }) => created === 999,
  )
  await killed.kill()
  await held.release()
  // Simulates the job timeout of the killed worker.
  await acme.sql(
    `update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where state = 'active'`,
  )
  const worker = await startTestWorker()
  const done = await waitForTask(acme, task, 60)
  await worker.stop()

  assert.equal(done.state, 'succeeded', JSON.stringify(done))
  const row = await importOf(acme, id)
  assert.deepEqual(
    [row.state, row.done_rows, countsOf(row)],
    ['completed', 1_000, { ...noRows, created: 999, updated: 1 }],
  )
  const { rows } = await acme.sql(
    `select count(*)::int as leads, count(distinct email_key)::int as addresses,
       (select count(*)::int from crm.import_rows row where row.import_id = $2 and outcome in ('created', 'updated')) as outcomes,
       (select count(distinct record_id)::int from crm.import_rows row where row.import_id = $2) as records,
       (select count(*)::int from platform.outbox_events event where event.tenant_id = $1 and type = 'lead.created') as events
     from crm.leads where tenant_id = $1`,
    [acme.id, id],
  )
  assert.deepEqual(rows, [{ leads: 1_000, addresses: 1_000, outcomes: 1_000, records: 1_000, events: 1_000 }])
})

test('crm-10-8 a person who is erased during an import that contains them is not imported', async () => {
  const acme = await tenant()
  const held = await holdLead(await createKnown(acme, 'p1@recovery.example'))
  const erased = await createKnown(acme, 'p2@recovery.example')
  const id = await prepare(acme, fileOf(3))
  const worker = await startTestWorker()

  const task = await start(acme, id)
  await waitForValue(
    () => importOf(acme, id),
    ({ created }) => created === 1,
  )
  const erasure = await acme.admin.post(`/api/leads/${erased.id}/erase`, { confirm: 'ERASE' })
  await waitForTask(acme, erasure.body)
  await held.release()
  const done = await waitForTask(acme, task)

  assert.equal(done.state, 'succeeded', JSON.stringify(done))
  assert.deepEqual(
    (await rowsOf(acme, id)).map(({ outcome, errors }) => errors[0]?.code ?? outcome),
    ['updated', 'erased', 'created'],
  )
  const { rows } = await acme.sql(
    `select (select count(*)::int from crm.leads where tenant_id = $1 and email ilike 'p2@%') as leads,
       (select count(*)::int from crm.import_rows where tenant_id = $1 and cells::text ilike '%p2@%') as rows,
       (select count(*)::int from platform.files where tenant_id = $1 and purpose = 'import' and deleted_at is null) as files`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ leads: 0, rows: 0, files: 0 }])
  await worker.stop()
})

/** Erases a person from the texts of imports in a transaction that stays open until `held` resolves. */
function eraseTexts({ id }: Acme, mention: string, held: Promise<void> = Promise.resolve()) {
  const erased = Promise.withResolvers<void>()
  const erasure = services.registry.erasures.find(({ name }) => name === 'crm.imports')!
  const noRecords = { lead_ids: [], contact_ids: [], account_ids: [], opportunity_ids: [], subject_hashes: [] }
  const person = { ...noRecords, email_keys: [mention], phones: [], names: [] }
  const ended = inSystem(systemDb, async (tx) => {
    await erasure.erase(await enterTenant(tx, systemActor(id)), person)
    erased.resolve()
    await held
  })
  return { erased: erased.promise, ended }
}

const titleOf = async (acme: Acme, id: string) => (await importOf(acme, id)).options.default_values.title

test('an open erasure of a person does not block imports that do not contain the person', async () => {
  const acme = await tenant()
  const worker = await startTestWorker()
  const done = await prepare(acme, fileOf(2))
  await waitForTask(acme, await start(acme, done))
  await worker.stop()
  const mapped = await prepare(acme, fileOf(2))
  const title = 'Assistant of zoe@recovery.example'
  const mentioning = await prepare(acme, fileOf(2), { options: { default_values: { title } } })
  const { mapping: columns } = await importOf(acme, mapped)
  const held = Promise.withResolvers<void>()
  const { erased, ended } = eraseTexts(acme, 'zoe@recovery.example', held.promise)
  await erased

  const url = `/api/leads/imports/${mapped}`
  const responses = [
    await acme.member.put(`${url}/mapping`, { columns }),
    await acme.member.post(`${url}/run`, { dry_run: false }),
    await acme.member.post(`${url}/cancel`),
    await acme.member.post(`/api/leads/imports/${done}/undo`),
  ]
  held.resolve()
  await ended

  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 202, 200, 202],
  )
  assert.equal(await titleOf(acme, mentioning), 'Assistant of [erased]')
})

test('an erasure finds a person in the texts of an import that is being changed', async () => {
  const acme = await tenant()
  const id = await prepare(acme, fileOf(2), { options: { default_values: { title: 'Assistant' } } })
  const client = await owner.connect()
  await client.query('begin')
  await client.query(
    `update crm.imports set options = jsonb_set(options, '{default_values,title}', '"Of zoe@recovery.example"') where id = $1`,
    [id],
  )

  const { ended } = eraseTexts(acme, 'zoe@recovery.example')
  await waitForBlockedSessions(owner, 1, [ended])
  await client.query('commit')
  client.release()
  await ended

  assert.equal(await titleOf(acme, id), 'Of [erased]')
})

test('a cancelled import keeps the rows that are done and can be undone', async () => {
  const acme = await tenant()
  const id = await prepare(acme, fileOf(600))
  const held = await holdLead(await createKnown(acme, 'p1@recovery.example'))
  const worker = await startTestWorker()
  const task = await start(acme, id)
  await waitForValue(
    () => importOf(acme, id),
    ({ created }) => created === 499,
  )
  // A cancellation before the batch of the held lead would leave its row out.
  await waitForBlockedSessions(owner, 1)

  const cancelled = await acme.member.post(`/api/leads/imports/${id}/cancel`)
  await held.release()
  await waitForTask(acme, task)

  assert.equal(cancelled.status, 200, cancelled.text)
  const row = await importOf(acme, id)
  assert.deepEqual(
    [row.state, row.done_rows, countsOf(row)],
    ['cancelled', 500, { ...noRows, created: 499, updated: 1 }],
  )
  assert.equal((await acme.member.post(`/api/leads/imports/${id}/cancel`)).status, 409)
  const undo = await acme.member.post(`/api/leads/imports/${id}/undo`)
  await waitForTask(acme, undo.body)
  assert.partialDeepStrictEqual(await importOf(acme, id), { state: 'undone', undone: 500, kept: 0 })
  const { rows } = await acme.sql(
    'select count(*)::int as leads from crm.leads where tenant_id = $1 and deleted_at is null',
    [acme.id],
  )
  assert.deepEqual(rows, [{ leads: 1 }])
  await worker.stop()
})

test('an undo deletes nothing that its user may no longer delete when it runs', async () => {
  const acme = await tenant()
  const second = await acme.person('manager')
  const { body: machine } = await acme.manager.post('/api/api-keys', {
    name: 'Machine',
    scopes: ['leads.write', 'leads.delete'],
  })
  let worker = await startTestWorker()
  const ids = [
    await prepare(acme, fileOf(2)),
    await prepare(
      acme,
      fileOf(2, (n) => `q${n}@recovery.example`),
    ),
  ]
  for (const id of ids) await waitForTask(acme, await start(acme, id))
  await worker.stop()

  const byUser = await second.post(`/api/leads/imports/${ids[0]}/undo`)
  const byKey = await acme.bearer(`ApiKey ${machine.key}`).post(`/api/leads/imports/${ids[1]}/undo`)
  assert.deepEqual([byUser.status, byKey.status], [202, 202], byUser.text + byKey.text)
  const demoted = await acme.admin.patch(`/api/users/${second.userId}`, { role: 'member' })
  const reduced = await acme.manager.patch(`/api/api-keys/${machine.id}`, { scopes: ['leads.write'] })
  assert.deepEqual([demoted.status, reduced.status], [200, 200], demoted.text + reduced.text)
  worker = await startTestWorker()
  const tasks = [await waitForTask(acme, byUser.body), await waitForTask(acme, byKey.body)]
  await worker.stop()

  assert.deepEqual(
    tasks.map(({ state, error }) => [state, error?.code ?? null]),
    [
      ['succeeded', null],
      ['failed', 'scope_required'],
    ],
  )
  const [ofUser, ofKey] = [await importOf(acme, ids[0]!), await importOf(acme, ids[1]!)]
  assert.deepEqual([ofUser.state, ofUser.undone, ofUser.kept], ['undone', 0, 2])
  assert.deepEqual([ofKey.state, ofKey.undone, ofKey.kept], ['completed', 0, 0])
  assert.equal((await acme.manager.get('/api/leads/')).body.total, 4)
})

test('an import with errors in most of its first 1,000 rows is stopped', async () => {
  const acme = await tenant()
  const id = await prepare(
    acme,
    fileOf(1_100, (n) => (n <= 501 ? 'wrong' : `p${n}@recovery.example`)),
    { mapping: { email: 'email' } },
  )
  const worker = await startTestWorker()

  const task = await waitForTask(acme, await start(acme, id), 60)

  assert.deepEqual([task.state, task.error.code], ['failed', 'too_many_failures'])
  const row = await importOf(acme, id)
  assert.deepEqual([row.state, row.done_rows, row.failure.code], ['failed', 1_000, 'too_many_failures'])
  assert.deepEqual([row.failed, row.created], [501, 499])
  assert.ok((await acme.events()).includes('import.failed'))
  await worker.stop()
})

test('imports without a task are found and repaired', async () => {
  const acme = await tenant()
  const id = await prepare(acme, fileOf(2))
  await acme.sql(
    `update crm.imports set state = 'running', task_id = gen_random_uuid(), created_at = now() - interval '2 hours' where id = $1`,
    [id],
  )
  const { find, repair } = createIntegrityRunner(testApp.services)

  const found = await find(acme.id, 'abandoned_import')
  const { repaired } = await repair(acme.id, 'abandoned_import')

  assert.deepEqual([found.length, repaired], [1, 1])
  assert.partialDeepStrictEqual(await importOf(acme, id), { state: 'failed', failure: { code: 'stalled' } })
  assert.deepEqual(await find(acme.id, 'abandoned_import'), [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, startWorkerProcess, waitForBlockedSessions, waitForTask, waitForValue } from '#testing'
import { createIntegrityRunner } from '../../operations/integrity/integrity.fixture.ts'
import { countsOf, createImportClient, createLead, noRows } from './imports.fixture.ts'

const testApp = await startTestApp({}, { isOwn: true })
const { tenant, startTestWorker, config, owner } = testApp
const { prepare, rowsOf } = createImportClient(testApp)

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

async function start(acme: Acme, id: string) {
  const { status, body, text } = await acme.member.post(`/api/leads/imports/${id}/run`, { dry_run: false })
  assert.equal(status, 202, text)
  return body
}

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

test('an import with errors in most of its first 1,000 rows is stopped', async () => {
  const acme = await tenant()
  const id = await prepare(
    acme,
    fileOf(1_100, (n) => (n <= 501 ? 'wrong' : `p${n}@recovery.example`)),
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

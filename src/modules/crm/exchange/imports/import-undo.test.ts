import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp, waitForTask } from '#testing'
import { createImportClient, createLead, getLead } from './imports.fixture.ts'

const testApp = await startTestApp()
const { tenant, startTestWorker } = testApp
const { prepare, start, run, importFile, rowsOf } = createImportClient(testApp)
let worker: ReturnType<typeof startTestWorker> | undefined
/** The states of imports are tested without a worker, which would end them. */
const startWorkerOnce = () => (worker ??= startTestWorker())

type Acme = Awaited<ReturnType<typeof tenant>>

test('a cancelled undo returns to the state before it, also that of a cancelled import', async () => {
  const acme = await tenant()
  const id = await prepare(acme, 'email,last_name\na@state.example,A\n')
  const url = `/api/leads/imports/${id}`
  await start(acme, id)
  const states: string[] = []
  const end = async (action: string) => {
    const { status, text } = await acme.member.post(`${url}/${action}`)
    assert.ok(status === 200 || status === 202, text)
    states.push((await acme.member.get(url)).body.state)
  }

  for (const action of ['cancel', 'undo', 'cancel', 'undo', 'cancel']) await end(action)

  assert.deepEqual(states, ['cancelled', 'undoing', 'cancelled', 'undoing', 'cancelled'])
})

test('a failed import is mapped and run again after its written rows are undone', async () => {
  await startWorkerOnce()
  const acme = await tenant()
  const url = (id: string) => `/api/leads/imports/${id}`
  const columns = ['email', 'last_name'].map((column) => ({ column, field: column }))
  const map = (id: string) => acme.member.put(`${url(id)}/mapping`, { columns })
  const { id } = await importFile(acme, 'email,last_name\na@again.example,A\nwrong,B\n')
  assert.equal((await map(id)).status, 409)
  const failure = JSON.stringify({ code: 'too_many_failures', message: 'Too many.' })
  await acme.sql("update crm.imports set state = 'failed', failure = $2 where id = $1", [id, failure])

  const refused = await map(id)
  await undo(acme, id)
  const mapped = await map(id)
  await run(acme, id)
  const outcomes = (await rowsOf(acme, id)).map(({ outcome }) => outcome)

  assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_transition'])
  assert.match(refused.body.detail, /has written records\. Undo it first/)
  const none = {
    state: 'mapped',
    failure: null,
    created: 0,
    undone: 0,
    done_rows: 0,
    started_at: null,
    finished_at: null,
  }
  assert.partialDeepStrictEqual(mapped.body, none, mapped.text)
  assert.deepEqual(outcomes, ['created', 'failed'])
  assert.deepEqual(await undo(acme, id), [
    ['undone', null],
    ['failed', null],
  ])
})

async function undo(acme: Acme, id: string, type: 'leads' | 'contacts' = 'leads') {
  const { body, status, text } = await acme.member.post(`/api/${type}/imports/${id}/undo`)
  assert.equal(status, 202, text)
  assert.equal((await waitForTask(acme, body)).state, 'succeeded')
  return (await rowsOf(acme, id, { type })).map(({ outcome, kept_reason }) => [outcome, kept_reason])
}

test('an undo keeps records that people worked on, with the reason, and all rows of them', async () => {
  await startWorkerOnce()
  const acme = await tenant()
  const people = ['note', 'task', 'mail', 'deal', 'edited', 'idle'].map((name) => `${name}@work.example,${name}`)
  for (const type of ['leads', 'contacts'] as const) {
    const file = `email,last_name,title\n${people.join(',\n')},\nnote@work.example,note,CTO\n`
    const { id } = await importFile(acme, file, { type })
    const ids = (await rowsOf(acme, id, { type })).map(({ record_id }) => record_id!)
    const [noted, tasked, mailed, dealt, edited] = ids
    const column = type === 'leads' ? 'lead_id' : 'contact_id'
    const url = (recordId: string | undefined, path = '') => `/api/${type}/${recordId}${path}`
    const log = (recordId: string | undefined, activity: object) =>
      acme.manager.post(url(recordId, '/activities'), activity)
    const due_at = '2030-01-01T00:00:00Z'
    const changes = [
      await log(noted, { type: 'note', subject: 'Budget confirmed' }),
      await log(tasked, { type: 'task', subject: 'Send the offer', due_at }),
      await acme.member.patch(url(edited), { title: 'CEO' }),
    ]
    for (const { status, text } of changes) assert.ok(status < 300, text)
    await acme.sql(
      `insert into crm.email_messages (tenant_id, id, kind, ref_id, ${column}, state, run_at, sent_at)
       values ($1, $2, 'cadence', $2, $3, 'sent', now(), now())`,
      [acme.id, newId(), mailed],
    )
    await createDeal(acme, column, dealt!)

    const outcomes = await undo(acme, id, type)

    assert.deepEqual(outcomes, [
      ['kept', 'activity'],
      ['kept', 'activity'],
      ['kept', 'email'],
      ['kept', 'deal'],
      ['kept', 'edited'],
      ['undone', null],
      ['kept', 'activity'],
    ])
    const { body } = await acme.member.get(`/api/${type}/imports/${id}`)
    assert.deepEqual([body.undone, body.kept], [1, 6])
    const statuses = await Promise.all(ids.map(async (recordId) => (await acme.manager.get(url(recordId))).status))
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 404, 200])
  }
})

async function createDeal(acme: Acme, column: 'lead_id' | 'contact_id', recordId: string): Promise<void> {
  const { body: account } = await acme.manager.post('/api/accounts/', { name: 'Deal account' })
  const deal = await acme.manager.post('/api/opportunities/', {
    name: 'Deal',
    account_id: account.id,
    amount: { amount: '10.00', currency: 'EUR' },
    close_on: '2030-01-01',
  })
  assert.equal(deal.status, 201, deal.text)
  const field = column === 'lead_id' ? 'lead_id' : 'primary_contact_id'
  await acme.sql(`update crm.opportunities set ${field} = $3 where tenant_id = $1 and id = $2`, [
    acme.id,
    deal.body.id,
    recordId,
  ])
}

test('an undo of many rows of a record gives it its oldest values', async () => {
  await startWorkerOnce()
  const acme = await tenant()
  const { id: leadId } = await createLead(acme, { last_name: 'Old', email: 'many@undo.example', title: 'First' })
  const rows = Array.from({ length: 1_100 }, (_, n) => `many@undo.example,Old,Title ${n},City ${n % 3}`)
  const options = { on_match: 'update' }
  const { id, body } = await importFile(acme, `email,last_name,title,city\n${rows.join('\n')}\n`, { options })
  assert.deepEqual([body.updated, (await getLead(acme, leadId)).title], [1_100, 'Title 1099'])

  await undo(acme, id)

  assert.partialDeepStrictEqual(await getLead(acme, leadId), { title: 'First', city: null })
  assert.partialDeepStrictEqual((await acme.member.get(`/api/leads/imports/${id}`)).body, { undone: 1_100, kept: 0 })
})

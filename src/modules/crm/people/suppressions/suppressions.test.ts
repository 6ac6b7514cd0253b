import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitForTask, waitUntil } from '#testing'

const { tenant, startTestWorker } = await startTestApp()
await startTestWorker()
type Acme = Awaited<ReturnType<typeof tenant>>
const url = '/api/leads/suppressions'
const newLead = async (acme: Acme, fields: object) => (await acme.member.post('/api/leads/', fields)).body
const statusOf = async (acme: Acme, { id }: { id: string }) =>
  (await acme.member.get(`/api/leads/${id}`)).body.email_status

test('addresses are added, found by a whole address and removed', async () => {
  const acme = await tenant()
  const lead = await newLead(acme, { email: 'Ada@x.example' })

  const added = await acme.manager.post(url, { emails: ['ada@x.example', 'ADA@x.example', 'bob@x.example'] })
  const again = await acme.manager.post(url, { emails: ['ada@x.example'] })
  const { items, total } = (await acme.manager.get(`${url}?search=ADA@x.example`)).body

  assert.deepEqual([added.status, added.body], [200, { added: 2, unchanged: 0 }])
  assert.deepEqual(again.body, { added: 0, unchanged: 1 })
  assert.partialDeepStrictEqual(items, [{ subject: 'ada@x.example', channel: 'email', reason: 'listed' }])
  assert.equal(total, 1)
  assert.equal((await newLead(acme, { email: 'bob@x.example' })).email_status, 'unsubscribed')
  await waitUntil(async () => (await statusOf(acme, lead)) === 'unsubscribed')

  assert.equal((await acme.manager.delete(`${url}/${items[0].id}`)).status, 204)
  await waitUntil(async () => (await statusOf(acme, lead)) === 'unknown')
  assert.deepEqual((await acme.manager.get(`${url}?search=ada@x.example`)).body.items, [])
  const { rows } = await acme.sql(
    `select action from platform.audit_log where tenant_id = $1 and action like 'suppression.%' order by id`,
    [acme.id],
  )
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['suppression.added', 'suppression.deleted'],
  )
})

test('the list is sorted by time and has pages', async () => {
  const acme = await tenant()
  for (const name of ['a', 'b', 'c']) await acme.manager.post(url, { emails: [`${name}@x.example`] })

  const first = (await acme.manager.get(`${url}?limit=2`)).body
  const second = (await acme.manager.get(`${url}?limit=2&cursor=${first.next_cursor}`)).body
  const skipped = (await acme.manager.get(`${url}?limit=2&offset=2&channel=email`)).body

  const subjects = ({ items }: { items: { subject: string }[] }) => items.map(({ subject }) => subject)
  assert.deepEqual([subjects(first), subjects(second)], [['c@x.example', 'b@x.example'], ['a@x.example']])
  assert.deepEqual([subjects(skipped), skipped.total], [['a@x.example'], 3])
  assert.deepEqual((await acme.manager.get(`${url}?channel=phone`)).body.items, [])
})

test('many contacts are opted out, and what they said cannot be removed from the list', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const newContact = async (workspace: Acme, fields: object) =>
    (await workspace.member.post('/api/contacts/', { last_name: 'Moss', ...fields })).body
  const lead = await newLead(acme, { email: 'bob@x.example' })
  const bob = await newContact(acme, { email: 'bob@x.example' })
  const [nameless, deleted, foreign] = [
    await newContact(acme, {}),
    await newContact(acme, { email: 'ann@x.example' }),
    await newContact(other, { email: 'bob@x.example' }),
  ]
  await acme.member.delete(`/api/contacts/${deleted.id}`)
  const contact_ids = [bob, nameless, deleted, foreign, bob].map(({ id }) => id)
  const optOut = () => acme.member.post('/api/contacts/opt-out', { contact_ids, source: 'letter' })

  const [first, again] = [await optOut(), await optOut()]

  const outcomesOf = ({ body }: Awaited<ReturnType<typeof optOut>>) =>
    body.results.map(({ outcome, code }: Record<string, string>) => code ?? outcome)
  assert.deepEqual(outcomesOf(first), ['ok', 'no_email', 'not_found', 'not_found'])
  assert.deepEqual(outcomesOf(again), ['unchanged', 'no_email', 'not_found', 'not_found'])
  assert.partialDeepStrictEqual(first.body, { total: 4, succeeded: 1, unchanged: 0, failed: 3 })
  assert.equal((await acme.member.get(`/api/contacts/${bob.id}`)).body.email_status, 'unsubscribed')
  await waitUntil(async () => (await statusOf(acme, lead)) === 'unsubscribed')
  const { items } = (await acme.manager.get(url)).body
  assert.partialDeepStrictEqual(items, [{ subject: 'bob@x.example', reason: 'manual', source: 'letter' }])
  assert.equal((await acme.manager.delete(`${url}/${items[0].id}`)).body.code, 'invalid_transition')
  assert.equal((await acme.viewer.post('/api/contacts/opt-out', { contact_ids })).status, 403)
  assert.deepEqual((await other.manager.get(url)).body.items, [])
})

test('an upload beside removals leaves the list, the records and new leads with the same status', async () => {
  const acme = await tenant()
  const emails = Array.from({ length: 12 }, (_, n) => `n${n}@x.example`)
  const leads: { id: string }[] = []
  for (const email of emails) leads.push(await newLead(acme, { email }))
  await acme.manager.post(url, { emails })
  const entries = (await acme.manager.get(url)).body.items as { id: string }[]

  const uploading = acme.manager.post(`${url}/upload`, { csv: emails.join('\n') })
  const removed = await Promise.all(entries.map(({ id }) => acme.manager.delete(`${url}/${id}`)))
  const { state, result } = await waitForTask(acme, (await uploading).body)

  assert.deepEqual(new Set(removed.map(({ status }) => status)), new Set([204]))
  assert.deepEqual([state, result.added + result.unchanged], ['succeeded', emails.length])
  const listed = new Set((await acme.manager.get(url)).body.items.map(({ subject }: { subject: string }) => subject))
  const expected = (email: string) => (listed.has(email) ? 'unsubscribed' : 'unknown')
  for (const [index, email] of emails.entries()) {
    assert.equal((await newLead(acme, { email })).email_status, expected(email))
    await waitUntil(async () => (await statusOf(acme, leads[index]!)) === expected(email))
  }
})

const addresses = Number(process.env.SUPPRESSED_ADDRESSES ?? 2_500)

test('the addresses of a CSV file are added by a task', async () => {
  const acme = await tenant()
  await newLead(acme, { email: 'n7@x.example' })
  const lines = Array.from({ length: addresses }, (_, n) => `Moss;n${n}@x.example`)
  const csv = ['name;email', 'Moss;no address', ...lines, 'Moss;'].join('\n')

  const started = await acme.manager.post(`${url}/upload`, { csv, source: 'old system' })
  const { state, result } = await waitForTask(acme, started.body, 600)

  assert.equal(started.status, 202, started.text)
  const message = 'The row has no valid email address.'
  const failures = [{ code: 'not_an_email', message, rows: [2, addresses + 3] }]
  const counts = { total: addresses, added: addresses, unchanged: 0, invalid: 2 }
  assert.deepEqual([state, result], ['succeeded', { ...counts, failures }])
  assert.equal((await acme.manager.get(`${url}?count=exact&limit=1`)).body.total, addresses)
  const { rows } = await acme.sql('select count(*)::int from crm.suppression_uploads where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [{ count: 0 }])
})

test('other work of the process runs while the rows of an uploaded file are read', async () => {
  const acme = await tenant()
  await acme.manager.post(`${url}/upload`, { csv: 'ada@x.example' })
  const csv = 'ada@x.example\n'.repeat(20_000)
  const steps: number[] = []
  const cpuMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let [last, isUploading] = [cpuMs(), true]
  const measureStep = () => {
    const now = cpuMs()
    steps.push(now - last)
    last = now
    if (isUploading) setImmediate(measureStep)
  }
  setImmediate(measureStep)

  const { status, text } = await acme.manager.post(`${url}/upload`, { csv })
  isUploading = false
  measureStep()

  assert.equal(status, 202, text)
  const total = steps.reduce((sum, step) => sum + step, 0)
  assert.ok(Math.max(...steps) < Math.max(50, total / 2), `${Math.max(...steps)} of ${total} ms`)
})

test('only managers use the list, other workspaces have their own, and invalid input is rejected', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await acme.manager.post(url, { emails: ['ada@x.example'] })
  const [entry] = (await acme.manager.get(url)).body.items

  assert.deepEqual((await other.manager.get(url)).body.items, [])
  assert.equal((await other.manager.delete(`${url}/${entry.id}`)).status, 404)
  assert.equal((await newLead(other, { email: 'ada@x.example' })).email_status, 'unknown')
  for (const status of [
    (await acme.member.get(url)).status,
    (await acme.member.post(url, { emails: ['bob@x.example'] })).status,
    (await acme.member.post(`${url}/upload`, { csv: 'bob@x.example' })).status,
    (await acme.member.delete(`${url}/${entry.id}`)).status,
  ])
    assert.equal(status, 403)
  for (const body of [{}, { emails: ['no address'] }, { emails: [] }])
    assert.equal((await acme.manager.post(url, body)).status, 422)
  for (const csv of ['name\nMoss', '"open', Array.from({ length: 50_001 }, (_, n) => `n${n}@x.example`).join('\n')])
    assert.equal((await acme.manager.post(`${url}/upload`, { csv })).body.errors[0].path, '/csv')
})

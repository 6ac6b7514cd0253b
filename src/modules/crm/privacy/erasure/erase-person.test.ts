import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dumpDatabase, startTestApp, waitForTask, waitUntil } from '#testing'
import { type Acme, bodyOf, confirmation, createKnownPerson, eraseLeadOf, markers, person } from './erasure.fixture.ts'

const { tenant, services, database, startTestWorker } = await startTestApp()

/** Personal columns that contain nothing about leads and contacts, with what erases them. */
const notAboutPersons: Record<string, string> = {
  'identity.users': 'erasure of a user',
  'identity.user_identities': 'erasure of a user',
  'identity.sessions': 'erasure of a user',
  'identity.login_events': 'erasure of a user',
  'enablement.content_versions.note': 'describes a version of a file',
  'enablement.content_viewers': 'erasure of a user; visitors of rooms are erased with their room_visitors',
  'enablement.content_search_misses.query_norm': 'contains what users searched for in the library',
  'enablement.coaching_sessions': 'erasure of a user; sessions are about sellers',
  'enablement.roleplay_messages': 'erasure of a user; the buyers are invented',
  'enablement.pitch_submissions': 'erasure of a user',
  'enablement.pitch_reviews': 'erasure of a user',
  'enablement.pitch_comments': 'erasure of a user',
  'enablement.enrollment_modules': 'erasure of a user; submissions and reviews are about learners',
  'enablement.quiz_attempts': 'erasure of a user',
  'enablement.certificates': 'erasure of a user',
  'enablement.experts': 'erasure of a user',
  'community.suspensions.reason': 'erasure of a user',
  'marketing.cadence_senders': 'erasure of a user',
  'surveys.unreleased_responses.answers':
    'addresses in answers to email questions are erased, which anonymous-archives.test.ts shows',
  'platform.files.filename': 'the erasure of the module that owns the purpose of the file',
  'platform.audit_log.ip': 'contains addresses of callers; sealed',
  'platform.audit_log.user_agent': 'contains devices of callers; sealed',
  'platform.audit_log.reason': 'contains reasons of denied requests and of the product; sealed',
  'platform.outbox_events.actor': 'contains ids of callers',
}

const hexOf = (text: string) => Buffer.from(text).toString('hex')
const isMarked = (value: string | null) =>
  value !== null && markers.some((marker) => value.toLowerCase().includes(marker))

async function listUnknownColumns(acme: Acme): Promise<string[]> {
  const unknown: string[] = []
  for (const [table, { personal = [] }] of Object.entries(services.registry.tables))
    for (const column of personal) {
      if (notAboutPersons[table] || notAboutPersons[`${table}.${column}`]) continue
      const { rows } = await acme.sql(`select ${column}::text as value from ${table} where tenant_id = $1`, [acme.id])
      if (!rows.some(({ value }) => isMarked(value))) unknown.push(`${table}.${column}`)
    }
  return unknown
}

const readFigures = async (acme: Acme) => ({
  kpis: { ...(await acme.admin.get('/api/leads/kpis')).body, as_of: null },
  analytics: { ...(await acme.admin.get('/api/leads/analytics')).body, as_of: null },
  forecast: (await acme.admin.get('/api/opportunities/forecast')).body,
  deals: (
    await acme.sql('select kind, amount_base_minor from crm.opportunities where tenant_id = $1 order by id', [acme.id])
  ).rows,
})

async function listMarkedRows(acme: Acme): Promise<string[]> {
  const found: string[] = []
  for (const table of Object.keys(services.registry.tables)) {
    const { rows } = await acme.sql(`select t::text as row from ${table} t where tenant_id = $1`, [acme.id])
    found.push(...rows.filter(({ row }) => isMarked(row)).map(({ row }) => `${table}: ${row}`))
  }
  return found
}

/** Runs once in the middle of the next erasure. */
let onErasure: () => Promise<unknown> = async () => {}
const middle = services.registry.erasures.findIndex(({ name }) => name === 'crm.contacts')
services.registry.erasures.splice(middle, 0, {
  name: 'test.interrupt',
  async erase() {
    const run = onErasure
    onErasure = async () => {}
    await run()
    return { counts: {} }
  },
})

test('crm-10-5 an erased person is in no row of the database, and KPIs and won amounts do not change', async () => {
  // Before the first assertion, because the other tests need it, too.
  await startTestWorker()
  const acme = await tenant()
  const { lead, contact } = await createKnownPerson(acme)
  assert.deepEqual(await listUnknownColumns(acme), [], 'columns without data of the person')
  const figures = await readFigures(acme)
  const url = `/api/leads/${lead.id}/erase`

  const asManager = await acme.manager.post(url, confirmation)
  const unconfirmed = await acme.admin.post(url, { keep_suppression: true })
  const { state, result } = await eraseLeadOf(acme, lead.id)

  assert.deepEqual([asManager.status, unconfirmed.status], [403, 422])
  assert.equal(state, 'succeeded', JSON.stringify(result))
  const dump = dumpDatabase(database.ownerUrl)
  const lines = dump.toLowerCase().split('\n')
  for (const marker of markers)
    for (const text of [marker, hexOf(marker), hexOf(marker[0]!.toUpperCase() + marker.slice(1))])
      assert.deepEqual(lines.filter((line) => line.includes(text)).slice(0, 3), [], text)
  assert.deepEqual(await readFigures(acme), figures)
  assert.partialDeepStrictEqual((await acme.admin.get('/api/auth/preferences')).body, {
    pinned: ['/segments Segments'],
    lists: { leads: { columns: ['name'], views: [{ name: 'New', search: 'status=new' }] } },
  })
  const shown = (await acme.admin.get(`/api/contacts/${contact.id}`)).body
  assert.partialDeepStrictEqual(shown, {
    name: 'Erased person',
    email: null,
    phone: null,
    email_status: 'unsubscribed',
  })
})

test('crm-10-6 a second erasure of a person finds nothing and completes', async () => {
  const acme = await tenant()
  const lead = bodyOf(await acme.admin.post('/api/leads/', { ...person, company: 'Engines' }))

  const first = await eraseLeadOf(acme, lead.id)
  const second = await eraseLeadOf(acme, lead.id)

  const { rows } = await acme.sql(
    'select state, counts, subject_ciphertext from crm.erasure_requests where tenant_id = $1 order by id',
    [acme.id],
  )
  assert.partialDeepStrictEqual(first, { state: 'succeeded', result: { counts: { 'crm.leads': 1 } } })
  assert.partialDeepStrictEqual(second, { state: 'succeeded' })
  assert.partialDeepStrictEqual(rows, [{ state: 'completed' }, { state: 'completed', counts: {} }])
  assert.deepEqual(rows[1].counts, {})
  assert.ok(rows.every(({ subject_ciphertext }) => subject_ciphertext === null))
  const events = (await acme.events()).filter((type) => type === 'person.erased')
  assert.equal(events.length, 2)
})

test('crm-10-7 an erased person who comes back is a new lead, unsubscribed', async () => {
  const acme = await tenant()
  const lead = bodyOf(await acme.admin.post('/api/leads/', person))
  const subscription = { email_status: 'subscribed', basis: 'consent', source: 'form', evidence: 'checkbox' }
  bodyOf(await acme.admin.put(`/api/leads/${lead.id}/consent`, subscription), 200)
  await eraseLeadOf(acme, lead.id)

  const again = bodyOf(await acme.member.post('/api/leads/', person))

  assert.notEqual(again.id, lead.id)
  const expected = { name: 'Zephyrine Quackenbush', email_status: 'unsubscribed', call_status: 'do_not_call' }
  assert.partialDeepStrictEqual(again, expected)
  const { body } = await acme.admin.get(`/api/leads/${lead.id}`)
  assert.partialDeepStrictEqual(body, { name: 'Erased person', company: null, processing_restricted: true })
})

test('without suppressions, a person who comes back has neither opted in nor out', async () => {
  const acme = await tenant()
  const lead = bodyOf(await acme.admin.post('/api/leads/', person))
  const optOut = { email_status: 'unsubscribed', basis: 'none', source: 'call' }
  bodyOf(await acme.admin.put(`/api/leads/${lead.id}/consent`, optOut), 200)

  await eraseLeadOf(acme, lead.id, { ...confirmation, keep_suppression: false })

  const again = bodyOf(await acme.member.post('/api/leads/', person))
  assert.partialDeepStrictEqual(again, { email_status: 'unknown', call_status: 'allowed' })
})

test('records that are created or edited during an erasure are erased completely', async () => {
  const acme = await tenant()
  const lead = bodyOf(await acme.admin.post('/api/leads/', person))
  onErasure = async () => {
    bodyOf(await acme.member.post('/api/leads/', { ...person, notes: 'xyloquartz' }, { 'idempotency-key': 'late' }))
    bodyOf(await acme.member.patch(`/api/leads/${lead.id}`, { ...person, phone: null, notes: 'xyloquartz' }), 200)
    bodyOf(await acme.member.post(`/api/leads/${lead.id}/activities`, { type: 'note', body: 'xyloquartz' }))
  }

  const { state, result } = await eraseLeadOf(acme, lead.id)

  assert.equal(state, 'succeeded')
  assert.partialDeepStrictEqual(result, { counts: { 'crm.leads': 3 } })
  assert.ok(result.counts['crm.activities'] >= 1)
  assert.deepEqual(await listMarkedRows(acme), [])
})

test('an erasure that fails continues after its last batch and counts every row once', async () => {
  const acme = await tenant()
  const lead = bodyOf(await acme.admin.post('/api/leads/', person))
  onErasure = () => Promise.reject(new Error('the worker lost its connection'))

  const { state, result } = await eraseLeadOf(acme, lead.id)

  assert.equal(state, 'succeeded')
  assert.partialDeepStrictEqual(result, { counts: { 'crm.leads': 1 } })
  assert.deepEqual(await listMarkedRows(acme), [])
})

test('concurrent requests start one erasure, and other workspaces keep the person', async () => {
  const [acme, globex] = [await tenant(), await tenant()]
  const lead = bodyOf(await acme.admin.post('/api/leads/', person))
  const contact = bodyOf(await acme.admin.post('/api/contacts/', person))
  const other = bodyOf(await globex.admin.post('/api/leads/', person))

  const requests = [`/api/leads/${lead.id}/erase`, `/api/contacts/${contact.id}/erase`, `/api/leads/${lead.id}/erase`]
  const started = await Promise.all(requests.map((url) => acme.admin.post(url, confirmation)))
  const foreign = await globex.admin.post(`/api/leads/${lead.id}/erase`, confirmation)
  const { state } = await waitForTask(acme, started[0]!.body)

  assert.deepEqual([state, foreign.status], ['succeeded', 404])
  assert.equal(new Set(started.map(({ body }) => body.task_id)).size, 1)
  assert.deepEqual(await listMarkedRows(acme), [])
  const { name, email, email_status } = (await globex.admin.get(`/api/leads/${other.id}`)).body
  assert.deepEqual([name, email, email_status], ['Zephyrine Quackenbush', person.email, 'unknown'])
})

test('erasing a person requires a recent sign-in of an admin', async () => {
  const acme = await tenant()
  const lead = bodyOf(await acme.admin.post('/api/leads/', person))
  const old = await acme.person('admin')
  await acme.sql(
    `update identity.sessions set authenticated_at = authenticated_at - interval '16 minutes' where id = $1`,
    [old.sessionId],
  )

  const { status, body } = await old.post(`/api/leads/${lead.id}/erase`, confirmation)

  assert.deepEqual([status, body.code], [403, 'reauthentication_required'])
})

test('a cancelled erasure can be started again and finishes', async () => {
  const acme = await tenant()
  const lead = bodyOf(await acme.admin.post('/api/leads/', person))
  let taskId = ''
  onErasure = async () => bodyOf(await acme.admin.post(`/api/tasks/${taskId}/cancel`), 200)
  const started = bodyOf(await acme.admin.post(`/api/leads/${lead.id}/erase`, confirmation), 202)
  taskId = started.task_id

  const cancelled = await waitForTask(acme, started)
  const stateOf = async () =>
    (await acme.sql('select state from crm.erasure_requests where tenant_id = $1', [acme.id])).rows[0].state
  await waitUntil(async () => (await stateOf()) === 'failed')
  const { state } = await eraseLeadOf(acme, lead.id)

  assert.deepEqual([cancelled.state, state], ['cancelled', 'succeeded'])
  assert.equal(await stateOf(), 'completed')
  assert.deepEqual(await listMarkedRows(acme), [])
})

test('the merges of an erased person are deleted in the order of locks', async () => {
  const acme = await tenant()
  const lead = bodyOf(await acme.admin.post('/api/leads/', person))
  for (const last_name of ['Second', 'Third', 'Fourth']) {
    const duplicate = bodyOf(await acme.admin.post('/api/leads/', { last_name }))
    bodyOf(await acme.admin.post(`/api/leads/${lead.id}/merge`, { duplicate_ids: [duplicate.id] }), 200)
  }

  const { state } = await eraseLeadOf(acme, lead.id)

  const { rows } = await acme.sql('select from crm.lead_merges where tenant_id = $1', [acme.id])
  assert.deepEqual([state, rows.length], ['succeeded', 0])
})

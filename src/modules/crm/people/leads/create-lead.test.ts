import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { type Acme, createLeadWith, leadsUrl } from './leads.fixture.ts'

const { tenant, clock } = await startTestApp()

const configure = async (acme: Acme, settings: object) => {
  const { status, body } = await acme.manager.put('/api/leads/settings', settings)
  assert.equal(status, 200, JSON.stringify(body))
}

test('round-robin assigns concurrent leads evenly', async () => {
  const acme = await tenant()
  const userIds = [acme.admin, acme.manager, acme.member, acme.viewer].map(({ userId }) => userId)
  await configure(acme, { assignment: { mode: 'round_robin', owner_ids: userIds } })

  const rounds = await Promise.all(Array.from({ length: 8 }, () => acme.member.post(leadsUrl, { last_name: 'Moss' })))

  const owners = rounds.map(({ body }) => body.owner_id)
  for (const userId of userIds) assert.equal(owners.filter((owner) => owner === userId).length, 2)
  assert.ok(rounds.every(({ status, headers }) => status === 201 && headers.etag === '"1"'))
  assert.equal((await acme.events()).filter((type) => type === 'lead.assigned').length, 8)
  const explicit = await acme.member.post(leadsUrl, { last_name: 'Roy', owner_id: null })
  assert.deepEqual([explicit.body.owner_id, explicit.body.assigned_at], [null, null])
})

test('round-robin counts manually assigned leads and skips deactivated users', async () => {
  const acme = await tenant()
  const [ann, ben, cy] = [await acme.person('member'), await acme.person('member'), await acme.person('member')]
  await configure(acme, { assignment: { mode: 'round_robin', owner_ids: [ann.userId, ben.userId, cy.userId] } })
  await createLeadWith(acme, { owner_id: ann.userId })
  await createLeadWith(acme, { owner_id: ann.userId })
  await acme.sql(`update identity.users set status = 'deactivated' where id = $1`, [cy.userId])

  const next = [await createLeadWith(acme, {}), await createLeadWith(acme, {})].map(({ owner_id }) => owner_id)

  assert.deepEqual(next, [ben.userId, ben.userId])
})

test('least_open assigns a lead to the user with the fewest open leads', async () => {
  const acme = await tenant()
  const [ann, ben] = [await acme.person('member'), await acme.person('member')]
  await configure(acme, { assignment: { mode: 'least_open', owner_ids: [ann.userId, ben.userId] } })
  await createLeadWith(acme, { owner_id: ann.userId, status: 'unqualified', disqualify_reason: 'other' })
  await createLeadWith(acme, { owner_id: ben.userId })

  const { owner_id } = await createLeadWith(acme, {})

  assert.equal(owner_id, ann.userId)
})

test('a lead with a high score becomes an MQL, gets a shorter SLA and stays at version 1', async () => {
  const acme = await tenant()
  const config = (await acme.manager.get('/api/leads/scoring-config')).body
  const { version: _, updated_at: _at, updated_by: _by, ...rules } = config
  const lowThresholds = { ...rules, grade_thresholds: { a: 8, b: 4 }, auto_mql: { enabled: true, min_score: 8 } }
  assert.equal((await acme.manager.put('/api/leads/scoring-config', lowThresholds)).status, 200)

  const { headers, body } = await acme.member.post(leadsUrl, { email: 'ann@initech.example' })
  const changed = await acme.member.patch(`${leadsUrl}${body.id}`, { title: 'Chief of Staff' }, { 'if-match': '"1"' })

  assert.deepEqual([headers.etag, body.grade, body.lifecycle_stage], ['"1"', 'A', 'mql'])
  assert.equal(body.mql_at, body.created_at)
  assert.equal(new Date(body.sla_due_at).getTime() - new Date(body.created_at).getTime(), 15 * 60_000)
  assert.deepEqual([changed.status, changed.body.version, changed.body.fit_score], [200, 2, 45])
  assert.equal(changed.body.sla_due_at, body.sla_due_at)
})

test('a lead created as qualified is at least an SQL', async () => {
  const acme = await tenant()

  const qualified = await createLeadWith(acme, { status: 'qualified' })
  const subscriber = await createLeadWith(acme, { status: 'qualified', lifecycle_stage: 'subscriber' })
  const working = await createLeadWith(acme, { status: 'working' })

  for (const { lifecycle_stage, mql_at, sql_at, created_at, version } of [qualified, subscriber])
    assert.deepEqual([lifecycle_stage, mql_at, sql_at, version], ['sql', created_at, created_at, 1])
  assert.deepEqual([working.lifecycle_stage, working.mql_at], ['lead', null])
  const { rows } = await acme.sql(
    'select from_stage, to_stage, implied from crm.lifecycle_events where lead_id = $1 order by id',
    [qualified.id],
  )
  assert.deepEqual(rows, [
    { from_stage: null, to_stage: 'mql', implied: true },
    { from_stage: 'mql', to_stage: 'sql', implied: false },
  ])
})

test('one of two concurrent creates with the same email address fails if email addresses must be unique', async () => {
  const acme = await tenant()
  await configure(acme, { duplicates: { lead_email: 'reject' } })

  const both = await Promise.all([
    acme.member.post(leadsUrl, { email: 'Ann@acme.example' }),
    acme.manager.post(leadsUrl, { email: 'ann@ACME.example' }),
  ])

  const [created, rejected] = both.sort((one, other) => one.status - other.status)
  assert.deepEqual([created!.status, rejected!.status, rejected!.body.code], [201, 409, 'already_exists'])
  assert.equal(rejected!.body.existing_id, created!.body.id)
  const other = await createLeadWith(acme, { email: 'ben@acme.example' })
  const moved = await acme.member.patch(`${leadsUrl}${other.id}`, { email: 'ann@acme.example' })
  assert.deepEqual([moved.status, moved.body.existing_id], [409, created!.body.id])
  const elsewhere = await tenant()
  assert.equal((await elsewhere.member.post(leadsUrl, { email: 'ann@acme.example' })).status, 201)
})

test('two leads may share an email address by default and are counted as duplicates', async () => {
  const acme = await tenant()
  const first = await createLeadWith(acme, { email: 'ann@acme.example' })
  const second = await createLeadWith(acme, { email: 'ANN@acme.example' })

  assert.deepEqual([first.duplicate_count, second.duplicate_count], [0, 1])
  assert.equal((await acme.member.get(`${leadsUrl}${first.id}`)).body.duplicate_count, 1)
})

test('a repeated request with the same idempotency key creates one lead', async () => {
  const acme = await tenant()
  const key = { 'idempotency-key': 'form-7' }

  const [one, two] = [
    await acme.member.post(leadsUrl, { last_name: 'Moss' }, key),
    await acme.member.post(leadsUrl, { last_name: 'Moss' }, key),
  ]

  assert.deepEqual([one.status, two.status, two.headers['idempotency-replayed']], [201, 201, 'true'])
  assert.equal(two.body.id, one.body.id)
  assert.equal((await acme.member.get(leadsUrl)).body.total, 1)
})

test('a lead created with an API key has the source and provenance `api`', async () => {
  const acme = await tenant()
  const created = await acme.member.post('/api/api-keys', { name: 'Forms', scopes: ['leads.write', 'leads.read'] })
  const key = acme.bearer(`Bearer ${created.body.key}`)

  const { status, body } = await key.post(leadsUrl, { email: 'ann@acme.example' })

  assert.deepEqual([status, body.source, body.created_by], [201, 'api', acme.member.userId])
  const { rows } = await acme.sql(`select source from crm.field_provenance where entity_id = $1 and field = 'email'`, [
    body.id,
  ])
  assert.deepEqual(rows, [{ source: 'api' }])
  assert.equal((await key.delete(`${leadsUrl}${body.id}`)).status, 403)
})

test('created_on is the date in the time zone of the workspace', async () => {
  const acme = await tenant()
  await acme.admin.patch('/api/admin/settings', { general: { timezone: 'Pacific/Kiritimati' } })

  const { id } = await createLeadWith(acme, {})

  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(clock.now())
  const { rows } = await acme.sql('select created_on::text from crm.leads where id = $1', [id])
  assert.deepEqual(rows, [{ created_on: day }])
})

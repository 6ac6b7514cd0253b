// What happens when leads come in: who gets them, when they must be answered, and what two at once do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemIn } from '#platform/access'
import { inTenant } from '#platform/db'
import { startTestApp } from '#testing'
import { type Acme, leadWith, url } from './leads.fixture.ts'
import { noteBreach } from './sla.service.ts'

const { tenant, db, clock, startTestWorker } = await startTestApp()

const configure = async (acme: Acme, settings: object) => {
  const { status, body } = await acme.manager.put('/api/leads/settings', settings)
  assert.equal(status, 200, JSON.stringify(body))
}

test('leads are given out in turn, also when they come at the same time', async () => {
  const acme = await tenant()
  const people = [acme.admin, acme.manager, acme.member, acme.viewer].map(({ userId }) => userId)
  await configure(acme, { assignment: { mode: 'round_robin', owner_ids: people } })

  const rounds = await Promise.all(Array.from({ length: 8 }, () => acme.member.post(url, { last_name: 'Moss' })))

  const owners = rounds.map(({ body }) => body.owner_id)
  for (const person of people) assert.equal(owners.filter((owner) => owner === person).length, 2)
  assert.ok(rounds.every(({ status, headers }) => status === 201 && headers.etag === '"1"'))
  assert.equal((await acme.events()).filter((type) => type === 'lead.assigned').length, 8)
  const explicit = await acme.member.post(url, { last_name: 'Roy', owner_id: null })
  assert.deepEqual([explicit.body.owner_id, explicit.body.assigned_at], [null, null])
})

test('whoever was given leads by hand waits until the others have as many, and who left gets none', async () => {
  const acme = await tenant()
  const [ann, ben, cy] = [await acme.person('member'), await acme.person('member'), await acme.person('member')]
  await configure(acme, { assignment: { mode: 'round_robin', owner_ids: [ann.userId, ben.userId, cy.userId] } })
  await leadWith(acme, { owner_id: ann.userId })
  await leadWith(acme, { owner_id: ann.userId })
  await acme.sql(`update identity.users set status = 'deactivated' where id = $1`, [cy.userId])

  const next = [await leadWith(acme, {}), await leadWith(acme, {})].map(({ owner_id }) => owner_id)

  assert.deepEqual(next, [ben.userId, ben.userId])
})

test('or whoever has the fewest open leads gets the next one', async () => {
  const acme = await tenant()
  const [ann, ben] = [await acme.person('member'), await acme.person('member')]
  await configure(acme, { assignment: { mode: 'least_open', owner_ids: [ann.userId, ben.userId] } })
  await leadWith(acme, { owner_id: ann.userId, status: 'unqualified', disqualify_reason: 'other' })
  await leadWith(acme, { owner_id: ben.userId })

  const { owner_id } = await leadWith(acme, {})

  assert.equal(owner_id, ann.userId)
})

test('a lead that scores well is an MQL at once, must be answered sooner, and has not been changed by anybody', async () => {
  const acme = await tenant()
  const config = (await acme.manager.get('/api/leads/scoring-config')).body
  const { version: _, updated_at: _at, updated_by: _by, ...rules } = config
  const eager = { ...rules, grade_thresholds: { a: 8, b: 4 }, auto_mql: { enabled: true, min_score: 8 } }
  assert.equal((await acme.manager.put('/api/leads/scoring-config', eager)).status, 200)

  const { headers, body } = await acme.member.post(url, { email: 'ann@initech.example' })
  const changed = await acme.member.patch(`${url}${body.id}`, { title: 'Chief of Staff' }, { 'if-match': '"1"' })

  assert.deepEqual([headers.etag, body.grade, body.lifecycle_stage], ['"1"', 'A', 'mql'])
  assert.equal(body.mql_at, body.created_at)
  assert.equal(new Date(body.sla_due_at).getTime() - new Date(body.created_at).getTime(), 15 * 60_000)
  assert.deepEqual([changed.status, changed.body.version, changed.body.fit_score], [200, 2, 45])
  assert.equal(changed.body.sla_due_at, body.sla_due_at)
})

test('where an address may be taken once, of two who come at once one is refused', async () => {
  const acme = await tenant()
  await configure(acme, { duplicates: { lead_email: 'reject' } })

  const both = await Promise.all([
    acme.member.post(url, { email: 'Ann@acme.example' }),
    acme.manager.post(url, { email: 'ann@ACME.example' }),
  ])

  const [made, refused] = both.sort((one, other) => one.status - other.status)
  assert.deepEqual([made!.status, refused!.status, refused!.body.code], [201, 409, 'already_exists'])
  assert.equal(refused!.body.existing_id, made!.body.id)
  const other = await leadWith(acme, { email: 'ben@acme.example' })
  const moved = await acme.member.patch(`${url}${other.id}`, { email: 'ann@acme.example' })
  assert.deepEqual([moved.status, moved.body.existing_id], [409, made!.body.id])
  const elsewhere = await tenant()
  assert.equal((await elsewhere.member.post(url, { email: 'ann@acme.example' })).status, 201)
})

test('otherwise two leads may have one address, and each knows of the other', async () => {
  const acme = await tenant()
  const first = await leadWith(acme, { email: 'ann@acme.example' })
  const second = await leadWith(acme, { email: 'ANN@acme.example' })

  assert.deepEqual([first.duplicate_count, second.duplicate_count], [0, 1])
  assert.equal((await acme.member.get(`${url}${first.id}`)).body.duplicate_count, 1)
})

test('a repeated request with the same key captures one lead', async () => {
  const acme = await tenant()
  const key = { 'idempotency-key': 'form-7' }

  const [one, two] = [
    await acme.member.post(url, { last_name: 'Moss' }, key),
    await acme.member.post(url, { last_name: 'Moss' }, key),
  ]

  assert.deepEqual([one.status, two.status, two.headers['idempotency-replayed']], [201, 201, 'true'])
  assert.equal(two.body.id, one.body.id)
  assert.equal((await acme.member.get(url)).body.total, 1)
})

test('what comes through an API key is told from what somebody typed', async () => {
  const acme = await tenant()
  const made = await acme.member.post('/api/api-keys', { name: 'Forms', scopes: ['leads.write', 'leads.read'] })
  const key = acme.bearer(`Bearer ${made.body.key}`)

  const { status, body } = await key.post(url, { email: 'ann@acme.example' })

  assert.deepEqual([status, body.source, body.created_by], [201, 'api', acme.member.userId])
  const { rows } = await acme.sql(`select source from crm.field_provenance where entity_id = $1 and field = 'email'`, [
    body.id,
  ])
  assert.deepEqual(rows, [{ source: 'api' }])
  assert.equal((await key.delete(`${url}${body.id}`)).status, 403)
})

test('a lead counts under the day it is in the workspace', async () => {
  const acme = await tenant()
  await acme.admin.patch('/api/admin/settings', { general: { timezone: 'Pacific/Kiritimati' } })

  const { id } = await leadWith(acme, {})

  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(clock.now())
  const { rows } = await acme.sql('select created_on::text from crm.leads where id = $1', [id])
  assert.deepEqual(rows, [{ created_on: day }])
})

test('crm-1-11 a lead that nobody answered in time is told of once, however often the clock is looked at', async () => {
  const acme = await tenant()
  const { id, sla_due_at } = await leadWith(acme, {})
  const answered = await leadWith(acme, {}, { first_responded_at: clock.now() })
  const look = (lead: string, now: Date) => inTenant(db, systemIn(acme.id), (tx) => noteBreach(tx, lead, now))
  const due = new Date(sla_due_at)
  const late = new Date(due.getTime() + 60_000)

  assert.deepEqual(await look(id, new Date(due.getTime() - 1_000)), due)
  assert.equal((await acme.member.get(`${url}${id}`)).body.sla_status, 'pending')
  await Promise.all([look(id, late), look(id, late)])
  await look(id, late)
  await look(answered.id, late)

  const lead = (await acme.member.get(`${url}${id}`)).body
  assert.equal(lead.sla_status, 'breached')
  assert.equal(lead.sla_breached_at, late.toISOString())
  assert.equal(lead.version, 1)
  assert.equal((await acme.member.get(`${url}${answered.id}`)).body.sla_status, 'met')
  assert.equal((await acme.events()).filter((type) => type === 'lead.sla_breached').length, 1)
})

test('the timer of a lead goes off by itself', async () => {
  const acme = await tenant()
  const { id } = await leadWith(acme, {}, { sla_due_at: new Date(clock.now().getTime() - 1_000) })
  await acme.sql(`update pgboss.job set start_after = now() where group_id = $1::text`, [acme.id])
  await startTestWorker()

  const breaches = async () => (await acme.events()).filter((type) => type === 'lead.sla_breached').length
  for (let tries = 0; tries < 100 && !(await breaches()); tries++) await new Promise((go) => setTimeout(go, 100))

  assert.equal(await breaches(), 1)
  assert.ok((await acme.member.get(`${url}${id}`)).body.sla_breached_at)
})

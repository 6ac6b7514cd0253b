import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { createField } from '../../lookup/custom-fields/custom-fields.fixture.ts'
import { prepareSuppressions } from '../consent/consent.fixture.ts'
import type { LeadChanges } from '../lead-records/leads.schemas.ts'
import { updateLeadBatch } from './update-lead-batch.service.ts'

const { tenant, db, services } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const url = '/api/leads/'
const createLead = async (acme: Acme, lead: object = {}) =>
  (await acme.member.post(url, { last_name: 'Moss', ...lead })).body

test('crm-1-5 the status of a lead changes by allowed transitions only', async () => {
  const acme = await tenant()
  const { id } = await createLead(acme)
  const change = (body: object) => acme.member.patch(`${url}${id}`, body)

  const converted = await change({ status: 'converted' })
  const unexplained = await change({ status: 'unqualified' })
  const unqualified = await change({ status: 'unqualified', disqualify_reason: 'no_budget' })
  const qualified = await change({ status: 'qualified' })
  const working = await change({ status: 'working' })
  const fresh = await change({ status: 'new' })
  const same = await change({ status: 'working' })

  assert.deepEqual([converted.status, converted.body.code], [409, 'invalid_transition'])
  assert.deepEqual([converted.body.from, converted.body.to], ['new', 'converted'])
  assert.deepEqual(converted.body.allowed, ['contacted', 'working', 'nurturing', 'qualified', 'unqualified'])
  assert.deepEqual([unexplained.status, unexplained.body.errors[0].path], [422, '/disqualify_reason'])
  assert.deepEqual([unqualified.status, unqualified.body.disqualify_reason], [200, 'no_budget'])
  assert.deepEqual([qualified.status, qualified.body.allowed], [409, ['working', 'nurturing']])
  assert.deepEqual([working.status, working.body.status, working.body.disqualify_reason], [200, 'working', null])
  assert.equal(fresh.status, 409)
  assert.deepEqual([same.status, same.body.version], [200, working.body.version])
  const events = (await acme.events()).filter((type) => type === 'lead.status_changed')
  assert.equal(events.length, 2)
  const activities = await acme.sql(
    `select meta from crm.activities where lead_id = $1 and type = 'status_changed' order by id`,
    [id],
  )
  assert.deepEqual(
    activities.rows.map(({ meta }) => [meta.from, meta.to, meta.reason]),
    [
      ['new', 'unqualified', 'no_budget'],
      ['unqualified', 'working', null],
    ],
  )
})

test('crm-1-6 skipped stages get the same timestamp, and moving to an earlier stage requires a reason', async () => {
  const acme = await tenant()
  const { id } = await createLead(acme)
  const change = (body: object) => acme.member.patch(`${url}${id}`, body)

  const forward = await change({ lifecycle_stage: 'sql' })
  const unexplained = await change({ lifecycle_stage: 'lead' })
  const back = await change({ lifecycle_stage: 'lead', stage_reason: 'Budget is gone' })
  const again = await change({ lifecycle_stage: 'mql' })
  const bought = await change({ lifecycle_stage: 'customer' })

  assert.equal(forward.status, 200)
  assert.ok(forward.body.mql_at)
  assert.equal(forward.body.mql_at, forward.body.sql_at)
  assert.equal(forward.headers.etag, '"2"')
  assert.deepEqual([unexplained.status, unexplained.body.errors[0].path], [422, '/stage_reason'])
  assert.deepEqual([back.status, back.body.lifecycle_stage], [200, 'lead'])
  assert.equal(back.body.sql_at, forward.body.sql_at)
  assert.equal(again.body.mql_at, forward.body.mql_at)
  assert.deepEqual([bought.status, bought.body.code], [409, 'invalid_transition'])
  assert.deepEqual(bought.body.allowed, ['subscriber', 'lead', 'sql'])
  const { rows } = await acme.sql(
    'select from_stage, to_stage, implied, reason from crm.lifecycle_events where lead_id = $1 order by id offset 1',
    [id],
  )
  assert.deepEqual(rows, [
    { from_stage: 'lead', to_stage: 'mql', implied: true, reason: null },
    { from_stage: 'mql', to_stage: 'sql', implied: false, reason: null },
    { from_stage: 'sql', to_stage: 'lead', implied: false, reason: 'Budget is gone' },
    { from_stage: 'lead', to_stage: 'mql', implied: false, reason: null },
  ])
  const outbox = await acme.sql(
    `select data from platform.outbox_events where tenant_id = $1 and type = 'lead.stage_changed' order by id`,
    [acme.id],
  )
  assert.deepEqual(
    outbox.rows.map(({ data }) => data.backward),
    [false, true, false],
  )
})

test('qualifying a lead moves it to the stage sql in the same version', async () => {
  const acme = await tenant()
  const { id } = await createLead(acme)

  const { body } = await acme.member.patch(`${url}${id}`, {
    status: 'qualified',
    title: 'CTO',
    owner_id: acme.member.userId,
  })

  assert.deepEqual([body.status, body.lifecycle_stage, body.title, body.version], ['qualified', 'sql', 'CTO', 2])
  assert.deepEqual((await acme.events()).slice(-4), [
    'lead.updated',
    'lead.assigned',
    'lead.status_changed',
    'lead.stage_changed',
  ])
})

test('an update of an old version fails, and an update without changes keeps the version', async () => {
  const acme = await tenant()
  for (const key of ['tier', 'plan']) await createField(acme, { key })
  const { id } = await createLead(acme, {
    tags: ['a'],
    custom: { tier: 'gold' },
    annual_revenue: { amount: '5000.00', currency: 'EUR' },
  })
  const at = `${url}${id}`

  const first = await acme.member.patch(at, { title: 'CTO' }, { 'if-match': '"1"' })
  const late = await acme.member.patch(at, { title: 'CEO' }, { 'if-match': '"1"' })
  const same = await acme.member.patch(at, {
    title: 'CTO',
    tags: ['a'],
    custom: { tier: 'gold' },
    last_name: 'Moss',
    annual_revenue: { amount: '5000', currency: 'EUR' },
  })
  const cleared = await acme.member.patch(at, { title: null, tags: ['b'], custom: { tier: null, plan: 'x' } })
  const unidentified = await acme.member.patch(at, { last_name: null })
  const both = await Promise.all([
    acme.member.patch(at, { city: 'Bonn' }, { 'if-match': '"3"' }),
    acme.manager.patch(at, { city: 'Kiel' }, { 'if-match': '"3"' }),
  ])

  assert.deepEqual([first.headers.etag, late.status, late.body.code], ['"2"', 412, 'version_mismatch'])
  assert.deepEqual([same.status, same.body.version], [200, 2])
  assert.deepEqual([cleared.body.title, cleared.body.tags, cleared.body.custom], [null, ['b'], { plan: 'x' }])
  assert.deepEqual([unidentified.status, unidentified.body.errors[0].code], [422, 'required'])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412])
  const tags = await acme.sql('select tag from crm.record_tags where record_id = $1', [id])
  assert.deepEqual(tags.rows, [{ tag: 'b' }])
})

test('a new email address or phone number keeps opt-outs and resets a bounce', async () => {
  const acme = await tenant()
  const suppress = prepareSuppressions(acme, { db, services })
  await suppress('gone@acme.example', 'email', 'unsubscribed')
  await suppress('dead@acme.example', 'email', 'bounced')
  await suppress('+4930901820', 'phone', 'manual')

  const lead = await createLead(acme, { email: 'GONE@acme.example', phone: '030 901820', country: 'DE' })
  const change = async (body: object) => (await acme.member.patch(`${url}${lead.id}`, body)).body

  assert.deepEqual([lead.email_status, lead.call_status], ['unsubscribed', 'do_not_call'])
  assert.equal((await change({ email: 'new@acme.example' })).email_status, 'unsubscribed')
  assert.equal((await change({ phone: '030 901821' })).call_status, 'do_not_call')
  const other = await createLead(acme, { email: 'New@acme.example', phone: '030 901821', country: 'DE' })
  assert.deepEqual([other.email_status, other.call_status], ['unsubscribed', 'do_not_call'])

  const bounced = await createLead(acme, { email: 'dead@acme.example' })
  const changeBounced = async (email: string | null) =>
    (await acme.member.patch(`${url}${bounced.id}`, { email })).body.email_status
  assert.deepEqual(
    [bounced.email_status, await changeBounced('DEAD@acme.example'), await changeBounced('alive@acme.example')],
    ['bounced', 'bounced', 'unknown'],
  )
  assert.equal((await change({ email: 'someone@gmail.com' })).email_kind, 'free')
  assert.equal((await change({ email: null })).email_status, 'unsubscribed')
  assert.equal((await change({ email: 'later@acme.example' })).email_status, 'unsubscribed')
  assert.equal((await createLead(acme, { email: 'later@acme.example' })).email_status, 'unsubscribed')
})

test('only notes and tags of a converted lead can be updated', async () => {
  const acme = await tenant()
  const { id } = await createLead(acme)
  await acme.sql(
    `with account as (insert into crm.accounts (tenant_id, id, name, name_key, search_text) values ($1, gen_random_uuid(), 'A', 'a', 'a')),
     contact as (insert into crm.contacts (tenant_id, id, last_name, source, search_text) values ($1, $2, 'Moss', 'manual', 'm'))
     update crm.leads set status = 'converted', converted_at = now(), converted_contact_id = $2 where id = $2`,
    [acme.id, id],
  )

  const renamed = await acme.member.patch(`${url}${id}`, { title: 'CTO' })
  const reopened = await acme.member.patch(`${url}${id}`, { status: 'working' })
  const annotated = await acme.member.patch(`${url}${id}`, { notes: 'Nice people', tags: ['won'] })

  assert.deepEqual([renamed.status, renamed.body.code], [409, 'lead_converted'])
  assert.deepEqual([reopened.status, reopened.body.code], [409, 'lead_converted'])
  assert.deepEqual([annotated.status, annotated.body.notes], [200, 'Nice people'])
})

test('a batch changes and records leads as single updates do', async () => {
  const acme = await tenant()
  await createField(acme, { key: 'code', is_unique: true })
  await createField(acme, { key: 'tier' })
  await prepareSuppressions(acme, { db, services })('out@batch.example', 'email', 'unsubscribed')
  const changes: LeadChanges[] = [
    { title: 'CEO', company: 'Initech', tags: ['vip'], custom: { tier: 'gold', code: 'a' } },
    { email: 'new@batch.example', country: 'DE', phone: '030 901820', owner_id: acme.member.userId },
    { status: 'qualified', annual_revenue: { amount: '5.00', currency: 'EUR' } },
    { status: 'unqualified', disqualify_reason: 'no_budget' },
    { lifecycle_stage: 'mql', utm: { source: 'ads' }, source: 'fair' },
    { first_name: null, notes: 'Text', timezone: 'Europe/Berlin' },
    { country: 'QQ' },
    { status: 'converted' },
    { owner_id: newId() },
    { last_name: 'Moss' },
  ]
  const lead = { email: 'out@batch.example', first_name: 'Ann' }
  const [single, batch] = [await Promise.all(changes.map(() => createLead(acme, lead))), [] as { id: string }[]]
  for (const _ of changes) batch.push(await createLead(acme, lead))
  const user = { type: 'user', userId: acme.member.userId, role: 'member', origin: 'api' } as const
  const actor: Actor = { ...systemActor(acme.id), ...user }

  const codes = []
  for (const [index, change] of changes.entries()) {
    const response = await acme.member.patch(`${url}${single[index].id}`, change)
    codes.push(response.status === 200 ? 'ok' : response.body.code)
    if (change.custom) await acme.member.patch(`${url}${single[index].id}`, { custom: { code: 'other' } })
  }
  const outcomes = await inTenant(db, actor, (tx) =>
    updateLeadBatch(
      tx,
      actor,
      changes.map((change, index) => ({ id: batch[index]!.id, changes: change })),
      services,
    ),
  )

  assert.deepEqual(
    outcomes.map((one) => ('error' in one ? one.error.code : 'ok')),
    codes,
  )
  const show = async ({ id }: { id: string }) => {
    const { version, duplicate_count, ...shown } = (await acme.viewer.get(`${url}${id}`)).body
    const times = Object.entries(shown).map(([key, value]) => [key, key.endsWith('_at') ? value !== null : value])
    const { rows } = await acme.sql(
      `select (select array_agg(type order by type) from crm.activities where tenant_id = $1 and lead_id = $2) as activities,
         (select array_agg(action order by action) from platform.audit_log where tenant_id = $1 and resource_id = $2) as audit,
         (select array_agg(type order by type) from platform.outbox_events where tenant_id = $1 and subject_id = $2::text) as events,
         (select array_agg(field || source order by field) from crm.field_provenance where tenant_id = $1 and entity_id = $2) as fields`,
      [acme.id, id],
    )
    return { ...Object.fromEntries(times), id: null, ...rows[0] }
  }
  for (const [index, { custom }] of changes.entries()) {
    const [expected, actual] = [await show(single[index]), await show(batch[index]!)]
    if (custom) for (const one of [expected, actual]) Object.assign(one, { custom: null, audit: null, events: null })
    assert.deepEqual(actual, expected)
  }
})

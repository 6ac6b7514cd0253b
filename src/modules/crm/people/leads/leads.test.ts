import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { countStatements, startTestApp } from '#testing'
import { createField } from '../../lookup/custom-fields/custom-fields.fixture.ts'

const { tenant, services } = await startTestApp({}, { isOwn: true })
type Acme = Awaited<ReturnType<typeof tenant>>

const url = '/api/leads/'
const createLead = async (acme: Acme, lead: object) => (await acme.member.post(url, lead)).body
const problems = (body: { errors?: { path: string; code: string }[] }) =>
  body.errors?.map(({ path, code }) => `${path} ${code}`)

test('crm-1-1 a lead can be created with an email address only', async () => {
  const acme = await tenant()

  const { status, headers, body } = await acme.member.post(url, { email: 'Ann@Initech.example' })
  const unidentified = await acme.member.post(url, {})
  const scored = await acme.member.post(url, { email: 'bob@initech.example', score: 90 })

  assert.equal(status, 201)
  assert.equal(headers.location, `/api/leads/${body.id}`)
  assert.equal(headers.etag, '"1"')
  assert.partialDeepStrictEqual(body, {
    email: 'Ann@Initech.example',
    email_kind: 'business',
    email_status: 'unknown',
    company_domain: 'initech.example',
    status: 'new',
    lifecycle_stage: 'lead',
    source: 'manual',
    owner_id: null,
    owner: null,
    sla_status: 'pending',
    tags: [],
    custom: {},
    created_by: acme.member.userId,
    duplicate_count: 0,
    version: 1,
  })
  assert.deepEqual([body.fit_score, body.engagement_score, body.score, body.grade], [15, 0, 8, 'C'])
  assert.deepEqual(
    body.score_reasons.map(({ group, points }: { group: string; points: number }) => [group, points]),
    [['person', 15]],
  )
  assert.ok(new Date(body.sla_due_at) > new Date(body.created_at))
  for (const hidden of ['email_key', 'name_key', 'company_key', 'priority_rank', 'search_text', 'tenant_id'])
    assert.equal(hidden in body, false, hidden)
  assert.deepEqual([unidentified.status, problems(unidentified.body)], [422, [' required']])
  assert.deepEqual([scored.status, problems(scored.body)], [422, ['/score additionalProperties']])
  assert.deepEqual((await acme.member.get(`${url}${body.id}`)).body, body)
  const events = await acme.events()
  assert.ok(events.includes('lead.created'))
  assert.ok((await acme.audit()).includes('lead.created'))
  assert.ok((await acme.jobs()).includes('crm.check_sla'))
})

test('a lead stores all fields and computes the derived ones', async () => {
  const acme = await tenant()
  await createField(acme, { key: 'tier' })
  const input = {
    first_name: 'Zoé',
    last_name: 'Ünal',
    email: 'zoe@mail.acme.co.uk',
    phone: '(0)30 901820',
    title: 'VP Marketing',
    company: 'Acme GmbH',
    website: 'https://www.acme.example/about',
    linkedin_url: 'https://linkedin.example/in/zoe',
    industry: 'Software',
    employee_count: 300,
    annual_revenue: { amount: '1250000.50', currency: 'EUR' },
    country: 'DE',
    region: 'Berlin',
    city: 'Berlin',
    timezone: 'Europe/Berlin',
    source: 'trade_fair',
    source_detail: 'Stand 7',
    utm: { campaign: 'spring', source: 'news' },
    owner_id: acme.manager.userId,
    tags: ['vip', 'emea'],
    notes: 'Met at the stand',
    custom: { tier: 'gold' },
    status: 'working',
    lifecycle_stage: 'sql',
  }

  const { status, body } = await acme.member.post(url, input)

  assert.equal(status, 201)
  const { utm, ...rest } = input
  assert.partialDeepStrictEqual(body, rest)
  assert.partialDeepStrictEqual(body.utm, utm)
  assert.equal(body.name, 'Zoé Ünal')
  assert.equal(body.phone_e164, '+4930901820')
  assert.equal(body.company_domain, 'acme.example')
  assert.deepEqual(body.owner, { id: acme.manager.userId, name: acme.manager.name })
  assert.ok(body.assigned_at)
  assert.equal(body.mql_at, body.sql_at)
  const { rows } = await acme.sql('select name_key, company_key, search_text from crm.leads where id = $1', [body.id])
  assert.deepEqual([rows[0].name_key, rows[0].company_key], ['zoe unal', 'acme'])
  assert.match(rows[0].search_text, /^ zoe unal acme gmbh vp marketing zoe@mail\.acme\.co\.uk/)
  const tags = await acme.sql('select tag from crm.record_tags where record_id = $1 order by tag', [body.id])
  assert.deepEqual(
    tags.rows.map(({ tag }) => tag),
    ['emea', 'vip'],
  )
  const sources = await acme.sql('select label, channel from crm.lead_sources where tenant_id = $1', [acme.id])
  assert.deepEqual(sources.rows, [{ label: 'Trade fair', channel: 'other' }])
  const stages = await acme.sql(
    'select from_stage, to_stage, implied from crm.lifecycle_events where lead_id = $1 order by id',
    [body.id],
  )
  assert.deepEqual(stages.rows, [
    { from_stage: null, to_stage: 'mql', implied: true },
    { from_stage: 'mql', to_stage: 'sql', implied: false },
  ])
  const provenance = await acme.sql(
    `select source from crm.field_provenance where entity_id = $1 and field in ('title', 'email')`,
    [body.id],
  )
  assert.deepEqual(provenance.rows, [{ source: 'human' }, { source: 'human' }])
  assert.deepEqual((await acme.events()).slice(-2), ['lead.created', 'lead.assigned'])
})

test('invalid leads are rejected with the path of the error', async () => {
  const acme = await tenant()
  const errorOf = async (change: object) => {
    const { status, body } = await acme.member.post(url, { last_name: 'Moss', ...change })
    return [status, body.code, body.errors?.[0]?.path]
  }

  assert.deepEqual(await errorOf({ email: 'moss' }), [422, 'validation_failed', '/email'])
  assert.deepEqual(await errorOf({ last_name: 'x'.repeat(101) }), [422, 'validation_failed', '/last_name'])
  assert.deepEqual(await errorOf({ source: 'Trade Fair' }), [422, 'validation_failed', '/source'])
  assert.deepEqual(await errorOf({ status: 'converted' }), [422, 'validation_failed', '/status'])
  assert.deepEqual(await errorOf({ lifecycle_stage: 'customer' }), [422, 'validation_failed', '/lifecycle_stage'])
  assert.deepEqual(await errorOf({ status: 'unqualified' }), [422, 'validation_failed', '/disqualify_reason'])
  assert.deepEqual(await errorOf({ disqualify_reason: 'other' }), [422, 'validation_failed', '/disqualify_reason'])
  assert.deepEqual(await errorOf({ country: 'QX' }), [422, 'validation_failed', '/country'])
  assert.deepEqual(await errorOf({ timezone: 'Mars/Olympus' }), [422, 'validation_failed', '/timezone'])
  assert.deepEqual(await errorOf({ tags: ['a', 'a'] }), [422, 'validation_failed', '/tags'])
  assert.deepEqual(await errorOf({ employee_count: -1 }), [422, 'validation_failed', '/employee_count'])
  assert.deepEqual(await errorOf({ annual_revenue: { amount: '-1', currency: 'EUR' } }), [
    422,
    'validation_failed',
    '/annual_revenue/amount',
  ])
  assert.deepEqual(await errorOf({ annual_revenue: { amount: '1', currency: 'USD' } }), [
    422,
    'no_exchange_rate',
    '/annual_revenue/currency',
  ])
  assert.deepEqual(await errorOf({ owner_id: newId() }), [422, 'unknown_reference', '/owner_id'])
  await acme.sql(`update identity.users set status = 'deactivated' where id = $1`, [acme.viewer.userId])
  assert.deepEqual(await errorOf({ owner_id: acme.viewer.userId }), [422, 'unknown_reference', '/owner_id'])
  assert.equal((await acme.member.get(`${url}abc`)).status, 422)
  assert.deepEqual((await acme.member.get(url)).body.items, [])
})

test('leads of another workspace are not found', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const foreign = await createLead(other, { last_name: 'Moss', tags: ['vip'] })

  const responses = [
    await acme.admin.get(`${url}${foreign.id}`),
    await acme.admin.patch(`${url}${foreign.id}`, { title: 'Mine' }),
    await acme.admin.delete(`${url}${foreign.id}`),
    await acme.admin.post(`${url}${foreign.id}/restore`),
  ]

  for (const { status, body } of responses) assert.deepEqual([status, body.code], [404, 'not_found'])
  const owned = await acme.admin.post(url, { last_name: 'Roy', owner_id: other.member.userId })
  assert.deepEqual([owned.status, owned.body.code], [422, 'unknown_reference'])
  for (const query of ['', '?search=moss', '?tag=vip', `?owner_id=${other.member.userId}`])
    assert.deepEqual((await acme.admin.get(`${url}${query}`)).body.items, [], query)
  assert.equal((await other.member.get(`${url}${foreign.id}`)).body.version, 1)
})

test('viewers can only read leads, and anonymous requests are rejected', async () => {
  const acme = await tenant()
  const lead = await createLead(acme, { last_name: 'Moss' })

  const rejected = [
    await acme.viewer.post(url, { last_name: 'Roy' }),
    await acme.viewer.patch(`${url}${lead.id}`, { title: 'Boss' }),
    await acme.viewer.delete(`${url}${lead.id}`),
    await acme.viewer.post(`${url}${lead.id}/restore`),
  ]

  assert.deepEqual(
    rejected.map(({ status, body }) => [status, body.required_scope]),
    [
      [403, 'leads.write'],
      [403, 'leads.write'],
      [403, 'leads.delete'],
      [403, 'leads.write'],
    ],
  )
  assert.equal((await acme.viewer.get(`${url}${lead.id}`)).status, 200)
  assert.equal((await acme.anonymous.get(url)).status, 401)
})

test('custom fields are stored unchanged and validated', async () => {
  const acme = await tenant()
  const custom = { tier: 'gold', seats: 7, is_open: true, colors: ['red'], budget: { amount: '5.00', currency: 'EUR' } }
  const fields = { tier: 'text', seats: 'number', is_open: 'boolean', budget: 'money', empty: 'text' }
  for (const [key, type] of Object.entries(fields)) await createField(acme, { key, type })
  await createField(acme, { key: 'colors', type: 'multi_select', options: [{ key: 'red', label: 'Red' }] })
  const errorOf = async (value: object) => (await acme.member.post(url, { last_name: 'Moss', custom: value })).status

  const lead = await createLead(acme, { last_name: 'Moss', custom: { ...custom, empty: null } })

  assert.deepEqual(lead.custom, custom)
  assert.equal(await errorOf({ 'Bad Key': 1 }), 422)
  assert.equal(await errorOf(JSON.parse('{"__proto__": {"a": 1}}')), 422)
  assert.equal(await errorOf({ tier: { nested: { deep: true } } }), 422)
  assert.equal(await errorOf({ tier: 'x'.repeat(20_001) }), 422)
})

test('a lead and the number of its duplicates are read in one statement, and the name of its owner in another', async () => {
  const acme = await tenant()
  const [unassigned, assigned] = [
    await createLead(acme, { email: 'ann@initech.example', owner_id: null }),
    await createLead(acme, { email: 'bob@initech.example', owner_id: acme.member.userId }),
  ]
  const read = (id: string) => countStatements(services.db.pool, () => acme.member.get(`${url}${id}`))
  await read(unassigned.id)

  // Each request is authenticated with one statement.
  assert.equal((await read(unassigned.id)).statements, 1 + 1)
  assert.equal((await read(assigned.id)).statements, 1 + 2)
})

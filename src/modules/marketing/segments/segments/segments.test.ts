import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { matchesRule } from '../../../../platform/rules/match-rule.rules.ts'
import { parseRuleOrThrow } from '../../../../platform/rules/parse-rule.rules.ts'
import { leadFields } from '../../../crm/people/lead-records/lead-fields.ts'
import { hot, memberIds, newLead, newSegment } from './segments.fixture.ts'

const { tenant } = await startTestApp()
const url = '/api/segments'
/** Evaluates rules over fields as scoring does. */
function matchInMemory(rules: object, records: readonly { id: string; [field: string]: unknown }[]): string[] {
  const rule = parseRuleOrThrow(rules, { objectType: 'lead', fields: leadFields, currency: 'EUR' })
  const context = { now: new Date('2026-03-10T12:00:00Z'), timezone: 'UTC', me: null }
  return records.filter((record) => matchesRule(rule, record, context)).map(({ id }) => id)
}
const names = (items: { name: string }[]) => items.map(({ name }) => name)

test('a dynamic segment is created, shown, listed, updated and deleted', async () => {
  const acme = await tenant()

  const created = await acme.member.post(url, { object_type: 'lead', name: 'Hot leads', rules: hot })
  const seen = await acme.viewer.get(`${url}/${created.body.id}`)
  const renamed = await acme.member.patch(`${url}/${created.body.id}`, { name: 'Very hot', description: 'Call them' })
  const deleted = await acme.member.delete(`${url}/${created.body.id}`)

  assert.deepEqual([created.status, created.headers.location], [201, `${url}/${created.body.id}`])
  assert.partialDeepStrictEqual(created.body, {
    object_type: 'lead',
    name: 'Hot leads',
    kind: 'dynamic',
    rules: hot,
    state: 'ok',
    problems: [],
    owner: { id: acme.member.userId, name: acme.member.name },
    task_id: null,
    version: 1,
    member_count: null,
    references: [],
    used_by: [],
  })
  const { task_id: _, ...shown } = created.body
  assert.deepEqual(seen.body, shown)
  assert.partialDeepStrictEqual(renamed.body, { name: 'Very hot', description: 'Call them', version: 2 })
  assert.deepEqual([deleted.status, (await acme.viewer.get(`${url}/${created.body.id}`)).status], [204, 404])
  assert.deepEqual(await acme.events(), ['segment.created', 'segment.updated', 'segment.deleted'])
  assert.deepEqual(await acme.audit(), ['segment.created', 'segment.updated', 'segment.deleted'])
})

test('segments are listed by name, with filters and pages', async () => {
  const acme = await tenant()
  await newSegment(acme, { name: 'Beta leads' })
  await newSegment(acme, { name: 'alpha leads', kind: 'static' })
  await newSegment(acme, { name: 'Gamma accounts', object_type: 'account', rules: { all: [] } })
  const list = async (query: string) => (await acme.viewer.get(`${url}?${query}`)).body

  const first = await list('limit=2')

  assert.deepEqual(names(first.items), ['alpha leads', 'Beta leads'])
  assert.deepEqual(names((await list(`limit=2&cursor=${first.next_cursor}`)).items), ['Gamma accounts'])
  assert.deepEqual(names((await list('object_type=account')).items), ['Gamma accounts'])
  assert.deepEqual(names((await list('kind=static')).items), ['alpha leads'])
  assert.deepEqual(names((await list('search=LEADS bet')).items), ['Beta leads'])
  assert.deepEqual((await list('state=invalid')).items, [])
})

test('crm-7-1 the example gives the three sets, in SQL and in memory', async () => {
  const acme = await tenant()
  const [first, second, third] = [
    await newLead(acme, { industry: 'Software' }),
    await newLead(acme, {}),
    await newLead(acme, { industry: 'Retail' }),
  ]
  for (const [id, score] of [
    [first, 80],
    [second, 90],
    [third, 20],
  ])
    await acme.sql('update crm.leads set score = $2 where id = $1', [id, score])
  await acme.member.post(`/api/leads/${third}/activities`, { type: 'email_replied' })
  const software = { field: 'industry', op: 'eq', value: 'software' }
  const members = async (rules: object) => (await memberIds(acme, (await newSegment(acme, { rules })).id)).sort()

  const records = [
    { id: first, industry: 'Software', score: 80 },
    { id: second, industry: null, score: 90 },
    { id: third, industry: 'Retail', score: 20 },
  ]
  const inMemory = (rules: object) => matchInMemory(rules, records).sort()

  assert.deepEqual(inMemory({ all: [{ not: software }, hot] }), [second])
  assert.deepEqual(inMemory({ ...software, op: 'neq' }), [second, third].sort())
  assert.deepEqual(await members({ all: [{ not: software }, hot] }), [second])
  assert.deepEqual(await members({ ...software, op: 'neq' }), [second, third].sort())
  assert.deepEqual(
    await members({ not: { fact: 'activity', types: ['email_replied'], within_days: 30 } }),
    [first, second].sort(),
  )
})

test('crm-7-10 names are unique per object type, ignoring upper and lower case', async () => {
  const acme = await tenant()
  const create = (object_type: string, name: string) => acme.member.post(url, { object_type, name, rules: { all: [] } })
  const first = await create('lead', 'Engines')

  const again = await create('lead', 'ENGINES')
  const other = await create('contact', 'Engines')
  const renamed = await acme.member.patch(`${url}/${other.body.id}`, { name: 'engines' })
  const [one, two] = await Promise.all([create('lead', 'Looms'), create('lead', 'looms')])

  assert.deepEqual([again.status, again.body.code, again.body.existing_id], [409, 'already_exists', first.body.id])
  assert.deepEqual([other.status, renamed.status], [201, 200])
  assert.deepEqual([one.status, two.status].sort(), [201, 409])
})

test('crm-7-11 a member cannot change or delete the segment of a colleague, a manager can', async () => {
  const acme = await tenant()
  const { id } = (await acme.manager.post(url, { object_type: 'lead', name: 'Of the manager', rules: hot })).body
  const own = await newSegment(acme)

  const changed = await acme.member.patch(`${url}/${id}`, { name: 'Mine' })
  const deleted = await acme.member.delete(`${url}/${id}`)
  const members = await acme.member.post(`${url}/${id}/members`, { add: [] })

  assert.deepEqual([changed.status, deleted.status, members.status], [403, 403, 403])
  assert.equal(changed.body.code, 'role_required')
  assert.equal((await acme.manager.patch(`${url}/${own.id}`, { name: 'Taken over' })).status, 200)
})

test('a viewer cannot write segments, and an API key also needs the read scope of the records', async () => {
  const acme = await tenant()
  const segment = await newSegment(acme)
  const { body: key } = await acme.member.post('/api/api-keys', {
    name: 'Segments',
    scopes: ['segments.read', 'segments.write'],
  })
  const app = acme.bearer(`ApiKey ${key.key}`)

  assert.equal((await acme.viewer.post(url, { object_type: 'lead', name: 'Mine', rules: hot })).status, 403)
  assert.equal((await acme.viewer.patch(`${url}/${segment.id}`, { name: 'Mine' })).status, 403)
  assert.equal((await acme.viewer.get(`${url}/${segment.id}/members`)).status, 200)
  for (const { status, body } of [
    await app.get(`${url}/${segment.id}/members`),
    await app.post(`${url}/preview`, { object_type: 'lead', rules: hot }),
  ])
    assert.deepEqual([status, body.required_scope], [403, 'leads.read'])
  assert.equal((await app.get(`${url}/${segment.id}`)).status, 200)
})

test('another workspace cannot see, change or use a segment', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { id } = await newSegment(acme)

  const answers = [
    await other.admin.get(`${url}/${id}`),
    await other.admin.patch(`${url}/${id}`, { name: 'Mine' }),
    await other.admin.delete(`${url}/${id}`),
    await other.admin.get(`${url}/${id}/members`),
    await other.admin.post(`${url}/${id}/members`, { add: [] }),
    await other.admin.get(`${url}/${id}/flows`),
  ]
  const nested = await other.admin.post(url, {
    object_type: 'lead',
    name: 'Nested',
    rules: { fact: 'segment', segment_id: id },
  })

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]))
  assert.deepEqual([nested.status, nested.body.errors[0].code], [422, 'unknown_reference'])
  assert.deepEqual((await other.admin.get(url)).body.items, [])
})

test('invalid input is rejected with the place of the problem', async () => {
  const acme = await tenant()
  const problemOf = async (segment: object) => {
    const { status, body } = await acme.member.post(url, { object_type: 'lead', name: 'Bad', ...segment })
    return [status, body.errors?.[0]?.path, body.errors?.[0]?.code]
  }
  const op = { all: [hot, { field: 'score', op: 'like', value: 1 }] }

  assert.deepEqual(await problemOf({ rules: op }), [422, '/rules/all/1/op', 'unknown_op'])
  assert.deepEqual(await problemOf({}), [422, '/rules', 'required'])
  assert.deepEqual(await problemOf({ rules: hot, record_ids: [] }), [422, '/record_ids', 'unexpected'])
  assert.deepEqual(await problemOf({ rules: hot, owner_id: newId() }), [422, '/owner_id', 'unknown_reference'])
  assert.deepEqual(await problemOf({ kind: 'static', record_ids: [newId()] }), [
    422,
    '/record_ids/0',
    'unknown_reference',
  ])
  assert.equal((await acme.member.post(url, { object_type: 'opportunity', name: 'Deals', rules: hot })).status, 422)
  assert.equal((await acme.member.post(url, { object_type: 'lead', name: '', rules: hot })).status, 422)
})

test('an update with an old version is rejected, and one without changes writes nothing', async () => {
  const acme = await tenant()
  const { id } = await newSegment(acme)
  await acme.member.patch(`${url}/${id}`, { name: 'Second' })

  const stale = await acme.member.patch(`${url}/${id}`, { name: 'Third' }, { 'if-match': '"1"' })
  const same = await acme.member.patch(`${url}/${id}`, { name: 'Second', rules: hot })

  assert.deepEqual([stale.status, same.status, same.body.version], [412, 200, 2])
  assert.deepEqual(await acme.events(), ['segment.created', 'segment.updated'])
})

test('leads are filtered by segment_id', async () => {
  const acme = await tenant()
  const inSales = await newLead(acme, { title: 'Head of sales' })
  await newLead(acme, { title: 'Engineer' })
  const { id } = await newSegment(acme, { rules: { field: 'title', op: 'contains', value: 'sales' } })
  const { id: ofAccounts } = await newSegment(acme, { object_type: 'account', rules: { all: [] } })
  const list = (query: string) => acme.member.get(`/api/leads/?${query}`)
  const filter = encodeURIComponent(JSON.stringify({ field: 'title', op: 'contains', value: 'engineer' }))

  const found = await list(`segment_id=${id}`)
  const unknown = await list(`segment_id=${newId()}`)
  const otherType = await list(`segment_id=${ofAccounts}`)
  const bulk = await acme.member.post('/api/leads/bulk', {
    action: 'set_status',
    params: { status: 'working' },
    query: { segment_id: id },
    expected_count: 1,
  })

  assert.deepEqual(
    found.body.items.map((lead: { id: string }) => lead.id),
    [inSales],
  )
  assert.deepEqual((await list(`segment_id=${id}&filter=${filter}`)).body.items, [])
  assert.deepEqual([unknown.status, unknown.body.errors[0].path], [422, '/segment_id'])
  assert.deepEqual([otherType.status, otherType.body.errors[0].code], [422, 'unknown_reference'])
  assert.deepEqual([bulk.status, bulk.body.total], [200, 1])
})

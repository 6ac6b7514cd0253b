import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { defineFact } from '#platform/rules'
import { strict } from '#platform/schema'
import { startTestApp } from '#testing'
import { everything, hot, newLead, newSegment, type Workspace } from '../segments/segments.fixture.ts'

/** Matches every lead, and lets the first attempt of a preview run into its time limit. */
const impatient = defineFact({
  name: 'impatient',
  objectTypes: ['lead'],
  params: strict({}),
  async resolve(tx, params) {
    await sql`select set_config('statement_timeout', '30ms', true)`.execute(tx)
    return params
  },
  compile: () => sql`true`,
})
const testModule = {
  name: 'impatience',
  purpose: 'Slow rules',
  uses: [],
  schema: 'impatience',
  tables: {},
  events: [],
  routes: () => async () => {},
  ruleFacts: [impatient],
}
const { tenant } = await startTestApp({}, { modules: [testModule] })
const limited = await startTestApp({ RATE_LIMIT_FACTOR: '1' })

const preview = (acme: Workspace, rules: object, more: object = {}) =>
  acme.member.post('/api/segments/preview', { object_type: 'lead', rules, ...more })
const idsOf = ({ body }: { body: { sample: { id: string }[] } }) => body.sample.map(({ id }) => id)

test('crm-7-5 a preview of an empty workspace has no records', async () => {
  const acme = await tenant()

  for (const object_type of ['lead', 'contact', 'account']) {
    const { status, body } = await preview(acme, everything, { object_type, breakdown: true })

    assert.equal(status, 200)
    const { duration_ms: _, ...rest } = body
    assert.deepEqual(rest, { count: 0, count_relation: 'eq', sample: [], breakdown: [], warnings: [] })
  }
})

test('a preview counts, shows the newest records first and counts each condition', async () => {
  const acme = await tenant()
  const [, second, third] = [
    await newLead(acme, { title: 'Engineer', country: 'DE' }),
    await newLead(acme, { title: 'Head of sales', country: 'DE' }),
    await newLead(acme, { title: 'Sales', country: 'FR' }),
  ]
  const sales = { field: 'title', op: 'contains', value: 'SALES' }
  const german = { field: 'country', op: 'eq', value: 'DE' }
  const segment = await newSegment(acme, { rules: { any: [sales, german] } })

  const found = await preview(acme, { all: [sales, { not: { all: [sales, german] } }] }, { breakdown: true })
  const sampled = await preview(acme, sales, { sample_size: 1, count: 'exact', breakdown: true })
  const nested = await preview(acme, { fact: 'segment', segment_id: segment.id }, { sample_size: 0, breakdown: true })

  assert.deepEqual([found.body.count, found.body.count_relation, idsOf(found)], [1, 'eq', [third]])
  assert.deepEqual(found.body.breakdown, [
    { path: '/all/0', count: 2, count_relation: 'eq' },
    { path: '/all/1', count: 2, count_relation: 'eq' },
  ])
  assert.deepEqual(found.body.warnings, ['contains_scan'])
  assert.deepEqual([sampled.body.count, idsOf(sampled)], [2, [third]])
  assert.deepEqual(sampled.body.breakdown, [{ path: '', count: 2, count_relation: 'eq' }])
  assert.deepEqual([nested.body.count, nested.body.sample], [3, []])
  assert.deepEqual(nested.body.breakdown, [{ path: '', count: 3, count_relation: 'eq' }])
  assert.deepEqual(
    (await preview(acme, sales)).body.sample.map(({ id }: { id: string }) => id),
    [third, second],
  )
})

test('crm-7-13 a rule of 50 conditions that is too slow gets a lower bound in time', async () => {
  const acme = await tenant()
  await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, title, source, search_text, created_on)
     select $1, gen_random_uuid(), 'Moss', repeat('Grüße ', 15), 'web', ' moss', '2026-01-01' from generate_series(1, 600)`,
    [acme.id],
  )
  const contains = Array.from({ length: 49 }, (_, n) => ({ field: 'title', op: 'contains', value: `part ${n}` }))
  const rules = { all: [{ fact: 'impatient' }, { any: [...contains.slice(1), { ...contains[0], value: 'grüße' }] }] }

  const startedAt = performance.now()
  const { status, body } = await preview(acme, rules, { breakdown: true })

  assert.equal(status, 200)
  assert.equal(body.count_relation, 'gte')
  assert.ok(body.count <= 600 && body.sample.length <= 10)
  assert.deepEqual([body.breakdown, body.warnings], [null, ['contains_scan', 'time_limit']])
  assert.ok(performance.now() - startedAt < 6_000)
})

test('a preview writes nothing, and one with an idempotency key can be repeated', async () => {
  const acme = await tenant()
  const send = () =>
    acme.member.post('/api/segments/preview', { object_type: 'lead', rules: hot }, { 'idempotency-key': 'preview-1' })

  const first = await send()
  const second = await send()

  assert.deepEqual([first.status, second.status], [200, 200])
  assert.equal(second.headers['idempotency-replayed'], 'true')
  assert.deepEqual([await acme.events(), await acme.audit()], [[], []])
})

test('a user can request 20 previews per minute', async () => {
  const acme = await limited.tenant()

  const answers = []
  for (let n = 0; n < 21; n++) answers.push(await preview(acme, hot))

  assert.deepEqual(new Set(answers.slice(0, 20).map(({ status }) => status)), new Set([200]))
  assert.equal(answers[20]!.status, 429)
})

test('invalid rules are rejected, and viewers cannot preview', async () => {
  const acme = await tenant()

  const bad = await preview(acme, { all: [hot, { field: 'nothing', op: 'eq', value: 1 }] })
  const viewer = await acme.viewer.post('/api/segments/preview', { object_type: 'lead', rules: hot })

  assert.deepEqual([bad.status, bad.body.errors[0].path], [422, '/rules/all/1/field'])
  assert.equal(viewer.status, 403)
})

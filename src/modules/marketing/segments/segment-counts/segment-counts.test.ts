import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SqlBool, sql } from 'kysely'
import { defineFact } from '#platform/rules'
import { strict } from '#platform/schema'
import { runTenantSchedule, startTestApp } from '#testing'
import { everything, newLead, newSegment, type Workspace } from '../segments/segments.fixture.ts'
import { countSegmentsSchedule } from './segment-counts.jobs.ts'
import { nextCountAt } from './segment-counts.rules.ts'

/** The set of its records is cancelled like a statement that takes too long; the condition on one record is not. */
const slow = defineFact({
  name: 'slow_count',
  objectTypes: ['lead'],
  params: strict({}),
  compile: () => sql<SqlBool>`true`,
  select: () => ({
    records: sql`select gen_random_uuid() as record_id from (select pg_cancel_backend(pg_backend_pid()), pg_sleep(5)) as cancelled`,
    isExact: true,
  }),
})
const expensive = defineFact({
  name: 'expensive_count',
  objectTypes: ['lead'],
  params: strict({}),
  async resolve(_tx, params) {
    app.clock.advance(5)
    return params
  },
  compile: () => sql<SqlBool>`true`,
})
const testModule = {
  name: 'slow_facts',
  purpose: 'Slow rules',
  uses: [],
  schema: 'slow_facts',
  tables: {},
  events: [],
  routes: () => async () => {},
  ruleFacts: [slow, expensive],
}
const app = await startTestApp({}, { modules: [testModule] })
const { tenant, services } = app
app.clock.freeze()

const count = ({ id }: Workspace) =>
  runTenantSchedule(app, { ...countSegmentsSchedule(services), listTenants: async () => [id] })
async function listCounts({ viewer }: Workspace) {
  const { body } = await viewer.get('/api/segments?limit=100')
  return Object.fromEntries(body.items.map((item: Record<string, unknown>) => [item.name, item.member_count]))
}
const isGerman = { field: 'country', op: 'eq', value: 'DE' }

test('segments are counted by a schedule, and lists show the number with its time', async () => {
  const acme = await tenant()
  const lead = await newLead(acme, { country: 'DE' })
  await newLead(acme, { country: 'DE' })
  await newLead(acme, { country: 'FR' })
  const german = await newSegment(acme, { name: 'German', rules: isGerman })
  await newSegment(acme, { name: 'Mine', rules: { field: 'owner_id', op: 'is_me' } })
  await newSegment(acme, { name: 'List', kind: 'static', record_ids: [lead] })
  const before = await listCounts(acme)

  await count(acme)
  const { body } = await acme.viewer.get(`/api/segments/${german.id}`)

  assert.deepEqual(before, { German: null, Mine: null, List: null })
  assert.deepEqual(await listCounts(acme), { German: 2, Mine: null, List: 1 })
  assert.deepEqual([body.member_count, body.member_count_relation, body.version], [2, 'eq', 1])
  assert.ok(body.member_count_at)
  const list = (await acme.viewer.get('/api/segments')).body.items
  assert.equal(list.find(({ id }: { id: string }) => id === german.id).member_count_at, body.member_count_at)
})

test('a changed segment and those that use it are counted in the next run, others when they are due', async () => {
  const acme = await tenant()
  const lead = await newLead(acme, { country: 'DE' })
  const static_ = await newSegment(acme, { name: 'List', kind: 'static', record_ids: [] })
  await newSegment(acme, { name: 'Outer', rules: { fact: 'segment', segment_id: static_.id } })
  const inner = await newSegment(acme, { name: 'Inner', rules: isGerman })
  await newSegment(acme, { name: 'Unchanged', rules: everything })
  await count(acme)
  const first = await listCounts(acme)

  await newLead(acme, { country: 'FR' })
  await acme.member.patch(`/api/segments/${inner.id}`, { rules: { field: 'country', op: 'eq', value: 'FR' } })
  await acme.member.post(`/api/segments/${static_.id}/members`, { add: [lead] })
  const changed = await listCounts(acme)
  await count(acme)
  await count(acme)
  const second = await listCounts(acme)
  await acme.sql(`update marketing.segment_counts set due_at = due_at - interval '6 hours' where tenant_id = $1`, [
    acme.id,
  ])
  await count(acme)

  assert.deepEqual(first, { List: 0, Outer: 0, Inner: 1, Unchanged: 1 })
  assert.deepEqual(changed, { List: 0, Outer: 0, Inner: null, Unchanged: 1 })
  assert.deepEqual(second, { List: 1, Outer: 1, Inner: 1, Unchanged: 1 })
  assert.deepEqual(await listCounts(acme), { List: 1, Outer: 1, Inner: 1, Unchanged: 2 })
})

test('a count that takes too long becomes a lower bound, and the others are counted', async () => {
  const acme = await tenant()
  await newLead(acme, { country: 'DE' })
  const segment = await newSegment(acme, { name: 'Slow', rules: { all: [{ fact: 'slow_count' }, isGerman] } })
  await newSegment(acme, { name: 'Fast', rules: everything })

  await count(acme)

  const { body } = await acme.viewer.get(`/api/segments/${segment.id}`)
  assert.deepEqual([body.member_count, body.member_count_relation], [1, 'gte'])
  assert.deepEqual(await listCounts(acme), { Slow: 1, Fast: 1 })
})

test('a workspace that has used its time continues in the next run', async () => {
  const acme = await tenant()
  await newLead(acme, {})
  for (const name of ['One', 'Two']) await newSegment(acme, { name, rules: { fact: 'expensive_count' } })

  await count(acme)
  const first = await listCounts(acme)
  await count(acme)

  assert.deepEqual(Object.values(first).sort(), [1, null])
  assert.deepEqual(await listCounts(acme), { One: 1, Two: 1 })
})

test('a segment that changes during its count is due again', async () => {
  const acme = await tenant()
  const segment = await newSegment(acme, { name: 'Changing', rules: everything })
  await newLead(acme, {})
  const schedule = countSegmentsSchedule(services)
  const change = { rules: { field: 'score', op: 'gte', value: 101 } }
  const isCount = (result: unknown) => typeof result === 'object' && result !== null && 'member_count' in result
  const changeAfterCount = (work: Parameters<typeof schedule.runForTenant>[0]['inTenant']) =>
    (async (read) => {
      const result = await work(read)
      if (isCount(result)) await acme.member.patch(`/api/segments/${segment.id}`, change)
      return result
    }) as typeof work

  await runTenantSchedule(app, {
    ...schedule,
    listTenants: async () => [acme.id],
    runForTenant: (context) => schedule.runForTenant({ ...context, inTenant: changeAfterCount(context.inTenant) }),
  })
  const during = await listCounts(acme)
  await count(acme)

  assert.deepEqual([during, await listCounts(acme)], [{ Changing: null }, { Changing: 0 }])
})

test('the longer a count takes, the later the next one', () => {
  const now = new Date('2026-03-10T00:00:00Z')
  const hoursUntil = (ms: number) => (nextCountAt(now, ms).getTime() - now.getTime()) / 3_600_000

  assert.deepEqual([hoursUntil(0), hoursUntil(2_000), hoursUntil(3_600), hoursUntil(60_000)], [6, 6, 10, 24])
})

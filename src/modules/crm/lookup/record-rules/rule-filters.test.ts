// Rules as filters of the lists of leads, contacts, accounts and deals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { matchesRule } from '../../../../platform/rules/match-rule.rules.ts'
import { parseRuleOrThrow } from '../../../../platform/rules/parse-rule.rules.ts'
import { leadFields } from '../../people/lead-records/lead-fields.ts'

const { tenant, clock } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const lists = ['leads', 'contacts', 'accounts', 'opportunities'] as const
type List = (typeof lists)[number]

const add = async (acme: Acme, path: string, record: object) => {
  const { status, body } = await acme.member.post(`/api/${path}`, record)
  assert.equal(status, 201, JSON.stringify(body))
  return body
}
const query = (acme: Acme, list: List, rule: unknown) =>
  acme.viewer.get(`/api/${list}/?filter=${encodeURIComponent(JSON.stringify(rule))}`)
/** Names of the matching records in alphabetical order. */
async function namesOf(acme: Acme, list: List, rule: unknown): Promise<string[]> {
  const { status, body } = await query(acme, list, rule)
  assert.equal(status, 200, JSON.stringify(body))
  return (body.items ?? body).map(({ name }: { name: string }) => name).sort()
}
async function errorsOf(acme: Acme, list: List, rule: unknown): Promise<string[]> {
  const { status, body } = await query(acme, list, rule)
  assert.equal(status, 422, JSON.stringify(body))
  return body.errors.map((error: Record<string, string>) => `${error.in} ${error.path} ${error.code}`)
}
const minutesAgo = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000).toISOString()
const daysAgo = (days: number) => minutesAgo(days * 24 * 60)

test('crm-7-1 the example of the rule language selects the same leads in SQL and in memory', async () => {
  const acme = await tenant()
  const leads: { id: string; name: string; industry: string | null; score: number }[] = []
  for (const [last_name, industry, score] of [
    ['L1', 'Software', 80],
    ['L2', undefined, 90],
    ['L3', 'Retail', 20],
  ] as const) {
    const { id } = await add(acme, 'leads/', { last_name, industry })
    leads.push({ id, name: last_name, industry: industry ?? null, score })
  }
  await add(acme, `leads/${leads[0]!.id}/activities`, { type: 'email_replied', occurred_at: daysAgo(29) })
  await add(acme, `leads/${leads[2]!.id}/activities`, { type: 'email_replied', occurred_at: daysAgo(40) })
  for (const { id, score } of leads) await acme.sql('update crm.leads set score = $2 where id = $1', [id, score])
  const inMemory = (rule: unknown) => {
    const parsed = parseRuleOrThrow(rule, { objectType: 'lead', fields: leadFields, currency: 'EUR' })
    const context = { now: clock.now(), timezone: 'UTC', me: null }
    return leads.filter((lead) => matchesRule(parsed, lead, context)).map(({ name }) => name)
  }
  const isSoftware = { field: 'industry', op: 'eq', value: 'software' }
  const others = { all: [{ not: isSoftware }, { field: 'score', op: 'gte', value: 50 }] }
  const notSoftware = { ...isSoftware, op: 'neq' }
  const silent = { not: { fact: 'activity', types: ['email_replied'], within_days: 30 } }

  assert.deepEqual([await namesOf(acme, 'leads', others), inMemory(others)], [['L2'], ['L2']])
  const twoLeads = ['L2', 'L3']
  assert.deepEqual([await namesOf(acme, 'leads', notSoftware), inMemory(notSoftware)], [twoLeads, twoLeads])
  assert.deepEqual(await namesOf(acme, 'leads', silent), twoLeads)
})

test('crm-7-2 SQL in a field name is rejected by every list, and SQL in a value matches nothing', async () => {
  const acme = await tenant()
  await add(acme, 'leads/', { last_name: 'Moss' })
  await add(acme, 'contacts/', { last_name: 'Moss' })
  const { id } = await add(acme, 'accounts/', { name: 'Moss' })
  await add(acme, 'opportunities/', { name: 'Moss', account_id: id, close_on: '2030-01-01' })

  for (const list of lists) {
    const drop = await errorsOf(acme, list, { field: 'score; drop table leads', op: 'eq' })
    assert.deepEqual(drop, ['query /filter/field unknown_field'], list)
    for (const value of [`%' or 1=1 --`, `'; drop table crm.${list}; --`])
      for (const op of ['contains', 'eq', 'starts_with'])
        assert.deepEqual(await namesOf(acme, list, { field: 'name', op, value }), [], `${list} ${op}`)
    assert.deepEqual(await namesOf(acme, list, { field: 'name', op: 'contains', value: 'oss' }), ['Moss'], list)
  }
})

test('crm-7-3 unknown operators, values of the wrong type and rules that are too large are rejected with pointers', async () => {
  const acme = await tenant()
  const leaf = { field: 'name', op: 'eq', value: 'x' }
  const nested = (depth: number): unknown => (depth === 0 ? leaf : { not: nested(depth - 1) })
  const many = (count: number) => ({ any: Array(count).fill(leaf) })

  for (const list of lists) {
    const errors = (rule: unknown) => errorsOf(acme, list, rule)
    assert.deepEqual(await errors({ all: [leaf, { ...leaf, op: 'resembles' }, { ...leaf, value: 5 }] }), [
      'query /filter/all/1/op unknown_op',
      'query /filter/all/2/value type',
    ])
    assert.deepEqual(await errors(nested(6)), ['query /filter/not/not/not/not/not depth'])
    assert.deepEqual(await errors(many(51)), ['query /filter/any/50 too_many'])
    for (const rule of [nested(5), many(50)]) assert.equal((await query(acme, list, rule)).status, 200)
  }
})

test('the fact activity counts activities of leads, contacts, accounts and deals', async () => {
  const acme = await tenant()
  const account_id = (await add(acme, 'accounts/', { name: 'Initech' })).id
  const records = {
    leads: (await add(acme, 'leads/', { last_name: 'Moss' })).id,
    contacts: (await add(acme, 'contacts/', { last_name: 'Moss' })).id,
    accounts: (await add(acme, 'accounts/', { name: 'Moss' })).id,
    opportunities: (await add(acme, 'opportunities/', { name: 'Moss', account_id, close_on: '2030-01-01' })).id,
  }
  await add(acme, 'leads/', { last_name: 'Roy' })
  await add(acme, 'contacts/', { last_name: 'Roy' })
  await add(acme, 'opportunities/', { name: 'Roy', account_id, close_on: '2030-01-01' })
  for (const list of lists) {
    const log = (activity: object) => add(acme, `${list}/${records[list]}/activities`, activity)
    await log({ type: 'call', occurred_at: daysAgo(20) })
    await log({ type: 'call', direction: 'in', occurred_at: minutesAgo(1) })
    await log({ type: 'note' })
    const matches = (params: object) => namesOf(acme, list, { fact: 'activity', types: ['call'], ...params })
    const everyone = await namesOf(acme, list, { all: [] })
    const [moss, rest] = [['Moss'], everyone.filter((name) => name !== 'Moss')]

    for (const params of [{}, { min: 2 }, { min: 2, max: 2 }, { direction: 'in' }, { within_days: 1, max: 1 }])
      assert.deepEqual(await matches(params), moss, `${list} ${JSON.stringify(params)}`)
    for (const params of [{ min: 3 }, { max: 1 }, { direction: 'none' }, { types: ['email'] }])
      assert.deepEqual(await matches(params), [], `${list} ${JSON.stringify(params)}`)
    assert.deepEqual(await matches({ min: 0 }), everyone)
    assert.deepEqual(await matches({ min: 0, max: 1 }), rest)
    assert.deepEqual(await matches({ min: 0, max: 0, within_days: 30 }), rest)
    assert.deepEqual(await namesOf(acme, list, { not: { fact: 'activity', types: ['call'] } }), rest)
  }
})

test('the fact opportunity finds contacts and accounts by their deals', async () => {
  const acme = await tenant()
  const euros = (amount: string, currency = 'EUR') => ({ amount, currency })
  const account = async (name: string) => (await add(acme, 'accounts/', { name })).id
  const contact = async (last_name: string) => (await add(acme, 'contacts/', { last_name })).id
  const deal = (fields: object) => add(acme, 'opportunities/', { name: 'Deal', close_on: '2030-01-01', ...fields })
  const [initech, umbrella, moss, roy] = [
    await account('Initech'),
    await account('Umbrella'),
    await contact('Moss'),
    await contact('Roy'),
  ]
  await account('Globex')
  await contact('Jen')
  await deal({ account_id: initech, primary_contact_id: moss, amount: euros('500.00'), stage_key: 'proposal' })
  const won = await deal({ account_id: umbrella, amount: euros('100.00'), stage_key: 'closed_won' })
  await add(acme, `opportunities/${won.id}/contacts`, { contact_id: roy })
  await acme.sql(`update crm.opportunities set created_at = $2, closed_at = $3 where id = $1`, [
    won.id,
    daysAgo(90),
    daysAgo(20),
  ])
  const removed = await deal({ account_id: await account('Hooli'), amount: euros('900.00') })
  await acme.member.delete(`/api/opportunities/${removed.id}`)
  const matches = async (params: object) => {
    const rule = { fact: 'opportunity', ...params }
    return [...(await namesOf(acme, 'accounts', rule)), ...(await namesOf(acme, 'contacts', rule))].join()
  }

  assert.equal(await matches({}), 'Initech,Umbrella,Moss,Roy')
  assert.equal(await matches({ kinds: ['won'] }), 'Umbrella,Roy')
  assert.equal(await matches({ kinds: ['open', 'lost'] }), 'Initech,Moss')
  assert.equal(await matches({ min_amount: euros('500') }), 'Initech,Moss')
  assert.equal(await matches({ min_amount: euros('500.01') }), '')
  assert.equal(await matches({ stage_keys: ['proposal', 'negotiation'] }), 'Initech,Moss')
  assert.equal(await matches({ within_days: 10 }), 'Initech,Moss')
  assert.equal(await matches({ within_days: 20, kinds: ['won'] }), 'Umbrella,Roy')
  assert.equal(await matches({ kinds: ['won'], min_amount: euros('101') }), '')
})

test('invalid facts are rejected with pointers', async () => {
  const acme = await tenant()
  const activity = (params: object) =>
    errorsOf(acme, 'leads', { all: [{ fact: 'activity', types: ['call'], ...params }] })
  const deal = (params: object) => errorsOf(acme, 'contacts', { fact: 'opportunity', ...params })

  assert.deepEqual(await activity({ types: ['shout'] }), ['query /filter/all/0/types/0 enum'])
  assert.deepEqual(await activity({ types: [] }), ['query /filter/all/0/types minItems'])
  assert.deepEqual(await activity({ min: 2, max: 1 }), ['query /filter/all/0/max order'])
  assert.deepEqual(await activity({ within_days: 0 }), ['query /filter/all/0/within_days minimum'])
  assert.deepEqual(await deal({ kinds: ['sold'] }), ['query /filter/kinds/0 enum'])
  assert.deepEqual(await deal({ min_amount: 5 }), ['query /filter/min_amount type'])
  assert.deepEqual(await deal({ min_amount: { amount: '5', currency: 'USD' } }), [
    'query /filter/min_amount/currency currency',
  ])
  assert.deepEqual(await errorsOf(acme, 'leads', { fact: 'opportunity' }), ['query /filter/fact unknown_fact'])
  assert.deepEqual(await errorsOf(acme, 'opportunities', { fact: 'opportunity' }), ['query /filter/fact unknown_fact'])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { AppError } from '#platform/errors'
import type { RuleFact } from '#platform/module'
import { strict } from '#platform/schema'
import { defineFact } from './fact.rules.ts'
import { matches } from './match-rule.rules.ts'
import { requireRule } from './parse-rule.rules.ts'
import { ruleCondition } from './rule-sql.queries.ts'
import { me, noon, pick, startScratch, vocabulary } from './rules.fixture.ts'

const { owner, fill, select } = await startScratch()

const count = (bounds: object = {}) => Type.Integer({ minimum: 0, maximum: 1_000, ...bounds })
const visit = defineFact({
  name: 'visit',
  objectTypes: ['lead', 'contact'],
  params: strict({
    kinds: Type.Array(Type.String({ maxLength: 50 }), { minItems: 1, maxItems: 20 }),
    min: count({ default: 1 }),
    max: Type.Optional(count()),
    within_days: Type.Optional(count({ minimum: 1 })),
  }),
  compile: ({ kinds, min, max = 1_000, within_days = 3_650 }, { id, now }) => sql`(
    select count(*) from scratch.visits v
    where v.record_id = ${id} and v.kind = any (${kinds}::text[])
      and v.visited_at > ${now.toISOString()}::timestamptz - make_interval(days => ${within_days}::int)
  ) between ${min}::bigint and ${max}::bigint`,
})
const mine = defineFact({
  name: 'mine',
  objectTypes: ['lead'],
  params: strict({}),
  compile: (_params, record) =>
    sql`exists (select from scratch.records o where o.id = ${record.id} and o.owner_id = ${record.me}::uuid)`,
})
const facts = [visit, mine]
const visited = (more: object = {}) => ({ fact: 'visit', kinds: ['reply'], ...more })

async function threeLeads() {
  const records = await fill([
    { id: 'L1', title: 'Software', seats: 80, owner_id: me },
    { id: 'L2', title: null, seats: 90 },
    { id: 'L3', title: 'Retail', seats: 20 },
  ])
  await owner.query(`insert into scratch.visits values
    ('L1', 'reply', '2026-03-01'), ('L1', 'reply', '2026-01-01'), ('L3', 'reply', '2025-01-01'), ('L3', 'call', '2026-03-01')`)
  return records
}

test('negation keeps the records without a value, and a fact can be negated too', async () => {
  const records = await threeLeads()
  const software = { field: 'title', op: 'eq', value: 'software' }
  const others = { all: [{ not: software }, { field: 'seats', op: 'gte', value: 50 }] }
  const notEqual = { ...software, op: 'neq' }

  assert.deepEqual([await select(others), pick(others, records)], [['L2'], ['L2']])
  assert.deepEqual(
    [await select(notEqual), pick(notEqual, records)],
    [
      ['L2', 'L3'],
      ['L2', 'L3'],
    ],
  )
  assert.deepEqual(await select({ not: visited({ within_days: 30 }) }, noon, facts), ['L2', 'L3'])
})

test('a fact is counted, and none is a number too', async () => {
  await threeLeads()

  assert.deepEqual(await select(visited(), noon, facts), ['L1', 'L3'])
  assert.deepEqual(await select(visited({ min: 2 }), noon, facts), ['L1'])
  assert.deepEqual(await select(visited({ min: 0, max: 1 }), noon, facts), ['L2', 'L3'])
  assert.deepEqual(await select({ any: [{ fact: 'mine' }, visited({ kinds: ['call'] })] }, noon, facts), ['L1', 'L3'])
  assert.deepEqual(await select({ fact: 'mine' }, { ...noon, me: null }, facts), [])
  assert.deepEqual(await select(visited({ kinds: [`reply' or true --`] }), noon, facts), [])
})

const problemsOf = (written: unknown, objectType = 'lead') => {
  try {
    requireRule(written, { ...vocabulary, objectType, facts })
    return []
  } catch (error) {
    const { errors } = (error as AppError).extra as { errors: { path: string; code: string }[] }
    return errors.map(({ path, code }) => `${path} ${code}`)
  }
}

test('a fact may be another rule about the same record', async () => {
  await threeLeads()
  const big = requireRule({ field: 'seats', op: 'gte', value: 50 }, vocabulary)
  const isBig: RuleFact = { ...mine, name: 'big', compile: (_params, record) => ruleCondition(big, record, record) }

  assert.deepEqual(await select({ all: [{ fact: 'big' }, visited()] }, noon, [...facts, isBig]), ['L1'])
  assert.deepEqual(await select({ not: { fact: 'big' } }, noon, [isBig]), ['L3'])
})

test('the parameters of a fact are checked like everything else', () => {
  assert.deepEqual(problemsOf({ all: [visited({ min: 'x', kinds: [] })] }), [
    '/rules/all/0/kinds minItems',
    '/rules/all/0/min type',
  ])
  assert.deepEqual(problemsOf({ fact: 'visit' }), ['/rules/kinds required'])
  assert.deepEqual(problemsOf(visited({ 'a/b': 1 })), ['/rules/a~1b additionalProperties'])
  assert.deepEqual(problemsOf(visited({ kinds: ['a\0b'] })), ['/rules characters'])
  assert.deepEqual(problemsOf(JSON.parse('{"fact":"mine","__proto__":{"min":"x"}}')), [
    '/rules/__proto__ additionalProperties',
  ])
  assert.deepEqual(problemsOf({ fact: 'mine' }, 'contact'), ['/rules/fact unknown_fact'])
  assert.deepEqual(problemsOf({ fact: 'toString' }), ['/rules/fact unknown_fact'])
  assert.deepEqual(problemsOf({ all: Array(10).fill(visited()) }), [])
  assert.deepEqual(problemsOf({ all: Array(12).fill(visited()) }), ['/rules/all/10 too_many'])
})

test('in memory there are no facts', () => {
  const rule = requireRule({ fact: 'mine' }, { ...vocabulary, facts })

  assert.throws(() => matches(rule, {}, noon), /can only be asked of the database/)
  assert.throws(() => pick({ fact: 'mine' }, []), { status: 422 })
})

test('two facts cannot have one name', () => {
  assert.throws(() => defineFact({ ...mine, compile: () => sql`true` }), /defined twice/)
  assert.throws(() => defineFact({ ...mine, name: 'Not A Name', compile: () => sql`true` }), /not the name of a fact/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { AppError } from '#platform/errors'
import type { RuleFact } from '#platform/module'
import { strict } from '#platform/schema'
import { defineFact } from './fact.rules.ts'
import { matchesRule } from './match-rule.rules.ts'
import { parseRuleOrThrow } from './parse-rule.rules.ts'
import { ruleCondition } from './rule-sql.queries.ts'
import { atNoon, matchInMemory, me, startScratchDb, vocabulary } from './rules.fixture.ts'

const { owner, fill, select } = await startScratchDb()

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
const visitRule = (params: object = {}) => ({ fact: 'visit', kinds: ['reply'], ...params })

async function insertThreeLeads() {
  const records = await fill([
    { id: 'L1', title: 'Software', seats: 80, owner_id: me },
    { id: 'L2', title: null, seats: 90 },
    { id: 'L3', title: 'Retail', seats: 20 },
  ])
  await owner.query(`insert into scratch.visits values
    ('L1', 'reply', '2026-03-01'), ('L1', 'reply', '2026-01-01'), ('L3', 'reply', '2025-01-01'), ('L3', 'call', '2026-03-01')`)
  return records
}

test('negation includes records without a value and also applies to facts', async () => {
  const records = await insertThreeLeads()
  const software = { field: 'title', op: 'eq', value: 'software' }
  const others = { all: [{ not: software }, { field: 'seats', op: 'gte', value: 50 }] }
  const notEqual = { ...software, op: 'neq' }

  assert.deepEqual([await select(others), matchInMemory(others, records)], [['L2'], ['L2']])
  assert.deepEqual(
    [await select(notEqual), matchInMemory(notEqual, records)],
    [
      ['L2', 'L3'],
      ['L2', 'L3'],
    ],
  )
  assert.deepEqual(await select({ not: visitRule({ within_days: 30 }) }, atNoon, facts), ['L2', 'L3'])
})

test('facts support minimum and maximum counts, including zero', async () => {
  await insertThreeLeads()

  assert.deepEqual(await select(visitRule(), atNoon, facts), ['L1', 'L3'])
  assert.deepEqual(await select(visitRule({ min: 2 }), atNoon, facts), ['L1'])
  assert.deepEqual(await select(visitRule({ min: 0, max: 1 }), atNoon, facts), ['L2', 'L3'])
  assert.deepEqual(await select({ any: [{ fact: 'mine' }, visitRule({ kinds: ['call'] })] }, atNoon, facts), [
    'L1',
    'L3',
  ])
  assert.deepEqual(await select({ fact: 'mine' }, { ...atNoon, me: null }, facts), [])
  assert.deepEqual(await select(visitRule({ kinds: [`reply' or true --`] }), atNoon, facts), [])
})

const problemsOf = (input: unknown, objectType = 'lead') => {
  try {
    parseRuleOrThrow(input, { ...vocabulary, objectType, facts })
    return []
  } catch (error) {
    const { errors } = (error as AppError).extra as { errors: { path: string; code: string }[] }
    return errors.map(({ path, code }) => `${path} ${code}`)
  }
}

test('a fact can apply another rule to the same record', async () => {
  await insertThreeLeads()
  const big = parseRuleOrThrow({ field: 'seats', op: 'gte', value: 50 }, vocabulary)
  const isBig: RuleFact = { ...mine, name: 'big', compile: (_params, record) => ruleCondition(big, record, record) }

  assert.deepEqual(await select({ all: [{ fact: 'big' }, visitRule()] }, atNoon, [...facts, isBig]), ['L1'])
  assert.deepEqual(await select({ not: { fact: 'big' } }, atNoon, [isBig]), ['L3'])
})

test('fact parameters are validated', () => {
  assert.deepEqual(problemsOf({ all: [visitRule({ min: 'x', kinds: [] })] }), [
    '/rules/all/0/kinds minItems',
    '/rules/all/0/min type',
  ])
  assert.deepEqual(problemsOf({ fact: 'visit' }), ['/rules/kinds required'])
  assert.deepEqual(problemsOf(visitRule({ 'a/b': 1 })), ['/rules/a~1b additionalProperties'])
  assert.deepEqual(problemsOf(visitRule({ kinds: ['a\0b'] })), ['/rules characters'])
  assert.deepEqual(problemsOf(JSON.parse('{"fact":"mine","__proto__":{"min":"x"}}')), [
    '/rules/__proto__ additionalProperties',
  ])
  assert.deepEqual(problemsOf({ fact: 'mine' }, 'contact'), ['/rules/fact unknown_fact'])
  assert.deepEqual(problemsOf({ fact: 'toString' }), ['/rules/fact unknown_fact'])
  assert.deepEqual(problemsOf({ all: Array(10).fill(visitRule()) }), [])
  assert.deepEqual(problemsOf({ all: Array(12).fill(visitRule()) }), ['/rules/all/10 too_many'])
})

test('facts cannot be evaluated in memory', () => {
  const rule = parseRuleOrThrow({ fact: 'mine' }, { ...vocabulary, facts })

  assert.throws(() => matchesRule(rule, {}, atNoon), /can only be evaluated in SQL/)
  assert.throws(() => matchInMemory({ fact: 'mine' }, []), { status: 422 })
})

test('fact names are unique and valid', () => {
  assert.throws(() => defineFact({ ...mine, compile: () => sql`true` }), /defined twice/)
  assert.throws(() => defineFact({ ...mine, name: 'Not A Name', compile: () => sql`true` }), /not a valid fact name/)
})

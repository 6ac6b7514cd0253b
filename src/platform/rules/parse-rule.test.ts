import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { AppError, type InputError } from '#platform/errors'
import { operatorsOf } from './match-rule.rules.ts'
import { parseRule, parseRuleOrThrow } from './parse-rule.rules.ts'
import { leavesOf } from './rule.rules.ts'
import { RuleDocument } from './rule.schemas.ts'
import { fields, me, vocabulary } from './rules.fixture.ts'

const leaf = { field: 'seats', op: 'gte', value: 5 }
const nested = (depth: number): unknown => (depth === 0 ? leaf : { not: nested(depth - 1) })
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)

/** Returns problems as "pointer code". */
function problemsOf(input: unknown): string[] {
  const parsed = parseRule(input, vocabulary)
  return 'problems' in parsed ? parsed.problems.map(({ path, code }) => `${path} ${code}`) : []
}

function errorOf(input: unknown): { status: number; errors: InputError[] } {
  try {
    parseRuleOrThrow(input, vocabulary)
  } catch (error) {
    if (error instanceof AppError) return { status: error.status, errors: error.extra.errors as InputError[] }
    throw error
  }
  return assert.fail('the rule was accepted')
}

test('an unknown field or fact suggests the one that was meant', () => {
  const messageOf = (input: object) => errorOf(input).errors[0]!.message

  assert.equal(messageOf({ field: 'titel', op: 'is_set' }), 'Field "titel" does not exist. Did you mean `title`?')
  assert.equal(messageOf({ field: 'tier', op: 'is_set' }), 'Field "tier" does not exist. Did you mean `custom.tier`?')
  assert.equal(messageOf({ field: 'shoe_size', op: 'is_set' }), 'Field "shoe_size" does not exist.')
})

test('an unknown operator, a value of the wrong type, six levels and 51 conditions are rejected with pointers', () => {
  const mixed = { all: [leaf, { field: 'seats', op: 'resembles', value: 1 }, { field: 'seats', op: 'eq', value: '5' }] }
  const { status, errors } = errorOf(mixed)

  assert.equal(status, 422)
  assert.deepEqual(
    errors.map(({ in: where, path, code }) => [where, path, code]),
    [
      ['body', '/rules/all/1/op', 'unknown_op'],
      ['body', '/rules/all/2/value', 'type'],
    ],
  )
  assert.match(
    errors[0]!.message,
    /^Operator "resembles" is not supported for this field\. Choose one of: eq, neq, gt, /,
  )
  assert.deepEqual(problemsOf(nested(5)), [])
  assert.deepEqual(problemsOf(nested(6)), ['/not/not/not/not/not depth'])
  assert.deepEqual(problemsOf({ any: times(50, leaf) }), [])
  assert.deepEqual(problemsOf({ any: times(51, leaf) }), ['/any/50 too_many'])
})

test('all problems are reported at once', () => {
  const input = {
    all: [
      { field: 'nope', op: 'eq', value: 1 },
      { any: [] },
      { not: { field: 'grade', op: 'in', value: ['A', 'Z', 3] } },
      { field: 'starts_on', op: 'between', value: ['2026-02-30', '2026-01-01'] },
      { fact: 'activity', types: ['call'] },
      { field: 'seats', op: 'gte', value: 5, unit: 'people', 'a/b~c': 1 },
      { field: 'title' },
      { field: 'title', op: 'eq' },
      { field: 'title', op: 'is_set', value: null },
      7,
      { all: [leaf], any: [leaf] },
      {},
    ],
  }

  assert.deepEqual(problemsOf(input), [
    '/all/0/field unknown_field',
    '/all/1/any empty',
    '/all/2/not/value/1 unknown_option',
    '/all/2/not/value/2 type',
    '/all/3/value/0 format',
    '/all/4/fact unknown_fact',
    '/all/5/unit unexpected',
    '/all/5/a~1b~0c unexpected',
    '/all/6/op required',
    '/all/7/value required',
    '/all/8/value unexpected',
    '/all/9 type',
    '/all/10 shape',
    '/all/11 shape',
  ])
})

test('a value that is not a rule is rejected', () => {
  for (const input of [undefined, null, 'all', 1, true, [], [leaf]]) assert.deepEqual(problemsOf(input), [' type'])
  assert.deepEqual(problemsOf({ all: leaf }), ['/all type'])
  assert.deepEqual(problemsOf({ not: [leaf] }), ['/not type'])
  assert.deepEqual(problemsOf({ not: leaf, why: 1 }), ['/why unexpected'])
})

test('an empty all matches everything and counts as a condition', () => {
  assert.deepEqual(parseRule({ all: [] }, vocabulary), { rule: { kind: 'all', parts: [] } })
  assert.deepEqual(problemsOf({ all: times(51, { all: [] }) }), ['/all/50/all too_many'])
})

const invalidValues: [field: string, op: string, value: unknown, problem: string][] = [
  ['title', 'eq', '', 'empty'],
  ['title', 'eq', '   ', 'empty'],
  ['title', 'eq', 'x'.repeat(501), 'length'],
  ['title', 'eq', 'a\0b', 'characters'],
  ['title', 'eq', '\ud800', 'characters'],
  ['title', 'eq', ['x'], 'type'],
  ['title', 'eq', null, 'type'],
  ['title', 'in', 'x', 'type'],
  ['title', 'in', [], 'empty'],
  ['title', 'in', times(501, 'x'), 'too_many'],
  ['title', 'has_any_word', 'cto', 'type'],
  ['title', 'has_any_word', ['--'], '/0 empty'],
  ['title', 'gt', 'x', 'op unknown_op'],
  ['seats', 'eq', Number.NaN, 'type'],
  ['seats', 'eq', Number.POSITIVE_INFINITY, 'type'],
  ['seats', 'eq', 1e16, 'range'],
  ['seats', 'between', [2, 1], 'order'],
  ['seats', 'between', [1], 'type'],
  ['seats', 'between', [1, 'x'], '/1 type'],
  ['seats', 'in', [1], 'op unknown_op'],
  ['revenue', 'gt', 100, 'type'],
  ['revenue', 'gt', { amount: '1', currency: 'USD' }, '/currency currency'],
  ['revenue', 'gt', { amount: '1.005', currency: 'EUR' }, '/amount digits'],
  ['revenue', 'gt', { amount: 1, currency: 'EUR' }, 'type'],
  ['revenue', 'gt', { amount: '1', currency: 'EUR', x: 1 }, 'type'],
  [
    'revenue',
    'between',
    [
      { amount: '1', currency: 'EUR' },
      { amount: 'x', currency: 'EUR' },
    ],
    '/1 type',
  ],
  ['is_vip', 'is', 'true', 'type'],
  ['is_vip', 'is', null, 'type'],
  ['starts_on', 'on', '2026-02-29', 'format'],
  ['starts_on', 'on', 'infinity', 'format'],
  ['starts_on', 'on', '1899-12-31', 'format'],
  ['seen_at', 'on', '2026-03-01T00:00:00Z', 'format'],
  ['seen_at', 'between', ['2026-03-02', '2026-03-01'], 'order'],
  ['seen_at', 'in_last_days', -1, 'range'],
  ['seen_at', 'in_last_days', 3_651, 'range'],
  ['seen_at', 'in_last_days', 1.5, 'type'],
  ['grade', 'eq', 'a', 'unknown_option'],
  ['grade', 'is_me', undefined, 'op unknown_op'],
  ['owner_id', 'eq', 'me', 'format'],
  ['owner_id', 'eq', me.toUpperCase(), 'format'],
  ['owner_id', 'is_me', me, 'unexpected'],
  ['products', 'contains_any', ['core', 'nope'], '/1 unknown_option'],
  ['tags', 'contains_any', [1], '/0 type'],
  ['tags', 'eq', 'x', 'op unknown_op'],
]

test('a value that does not fit its operator is rejected', () => {
  for (const [field, op, value, problem] of invalidValues) {
    const input = { field, op, ...(value !== undefined && { value }) }
    const pointer = problem.startsWith('op ') ? '/' : problem.startsWith('/') ? '/value' : '/value '
    assert.deepEqual(problemsOf(input), [pointer + problem], JSON.stringify(input).slice(0, 100))
  }
})

test('values at the limits are accepted', () => {
  assert.deepEqual(problemsOf({ field: 'title', op: 'eq', value: 'x'.repeat(500) }), [])
  assert.deepEqual(problemsOf({ field: 'title', op: 'in', value: times(500, 'x') }), [])
  assert.deepEqual(problemsOf({ field: 'seen_at', op: 'in_last_days', value: 3_650 }), [])
  assert.deepEqual(problemsOf({ field: 'starts_on', op: 'on', value: '2199-12-31' }), [])
})

test('names of object members and hidden columns are not fields', () => {
  for (const field of [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'tenant_id',
    'email_key',
    'custom',
    '',
  ])
    assert.deepEqual(problemsOf({ field, op: 'eq', value: 'x' }), ['/field unknown_field'])
  for (const field of [null, 1, ['seats'], { seats: 1 }, undefined])
    assert.deepEqual(problemsOf({ field, op: 'eq', value: 'x' }), ['/field unknown_field'])
  for (const op of ['__proto__', 'constructor', ['eq'], null, 1])
    assert.deepEqual(problemsOf({ field: 'seats', op, value: 1 }), ['/op unknown_op'])
})

test('parsing a very large rule stops early', () => {
  const { errors } = errorOf({ all: times(100_000, { field: 'x'.repeat(1_000), op: 'eq' }) })

  assert.equal(errors.length, 51)
  assert.ok(errors.every(({ message }) => message.length < 200))
  assert.equal(problemsOf({ all: times(100_000, 7) }).length, 100)
  assert.equal(problemsOf({ any: times(50, { field: 'grade', op: 'in', value: times(500, 'Z') }) }).length, 100)
})

test('any input gives either a rule or problems', () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom('A', '2026-01-01', me), fc.array(fc.constantFrom('A', 1, '')))
  const op = fc.oneof(fc.constantFrom(...Object.values(operatorsOf).flat()), fc.jsonValue())
  const leaves = fc.record(
    { field: fc.constantFrom(...Object.keys(fields), 'x'), op, value },
    { requiredKeys: ['field'] },
  )
  const anything = fc.oneof(fc.jsonValue(), leaves)
  const groups = fc.oneof(anything, fc.record({ all: fc.array(anything) }), fc.record({ not: anything }))

  fc.assert(
    fc.property(groups, (input) => {
      const parsed = parseRule(input, vocabulary)
      assert.ok('rule' in parsed || parsed.problems.length > 0)
    }),
    { numRuns: 5_000 },
  )
})

test('leavesOf returns the fields of a rule', () => {
  const input = { all: [leaf, { not: { any: [{ field: 'title', op: 'is_set' }, leaf] } }] }
  const leaves = leavesOf(parseRuleOrThrow(input, vocabulary))

  assert.deepEqual(
    leaves.map((one) => one.kind === 'field' && one.key),
    ['seats', 'title', 'seats'],
  )
})

test('the example in the description is a valid rule', () => {
  const [example] = (RuleDocument as unknown as { examples: unknown[] }).examples
  const leads = { industry: { type: 'text', column: 'industry' }, score: { type: 'number', column: 'score' } } as const

  assert.ok(Compile(RuleDocument).Check(example))
  assert.ok('rule' in parseRule(example, { ...vocabulary, fields: leads }))
})

test('the test fields cover every field type', () => {
  assert.deepEqual(new Set(Object.values(fields).map(({ type }) => type)), new Set(Object.keys(operatorsOf)))
})

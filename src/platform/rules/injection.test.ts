import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { outsideTenant } from '#platform/db'
import { operatorsOf } from './match-rule.rules.ts'
import { parseRule } from './parse-rule.rules.ts'
import { ruleCondition } from './rule-sql.queries.ts'
import { atNoon, matchInMemory, me, startScratchDb, vocabulary } from './rules.fixture.ts'

const { owner, db, fill, select } = await startScratchDb()

const hostile = [
  `%' or 1=1 --`,
  `'; drop table scratch.records; --`,
  `' or ''='`,
  `" or ""="`,
  `\\' or 1=1 --`,
  `'||(select password_hash from identity.user_credentials limit 1)||'`,
  `$1`,
  `$$; select pg_sleep(10); $$`,
  `\${title}`,
  `:id`,
  `?`,
  `{"a","b"}`,
  `{NULL}`,
  `NULL`,
  `r.title`,
  `title) or (true`,
  `/* */ or true`,
  `E'\\x27 or true'`,
  `U&'\\0027'`,
  `[a-z]+`,
  `.*`,
  `^`,
  `%`,
  `_`,
  `\\`,
  `%%%%%%%%%%`,
  `\u02bc or 1=1`,
  `＇ or 1=1`,
  `\u202e or`,
  `😀'`,
]
const textOps = operatorsOf.text.filter((op) => !/is_/.test(op))
const isList = (op: string) => /in$|has_any_word|contains_/.test(op) && op !== 'contains'

test('SQL in a field name is rejected, and SQL in a value matches nothing and never fails', async () => {
  const records = await fill([{ id: 'one', title: 'Plain title', tags: ['plain'], custom: { nickname: 'Plain' } }])
  const drop = parseRule({ field: 'seats; drop table records', op: 'eq', value: 1 }, vocabulary)
  assert.deepEqual('problems' in drop && drop.problems.map(({ path, code }) => `${path} ${code}`), [
    '/field unknown_field',
  ])
  const always = { field: 'title', op: 'contains', value: `%' or 1=1 --` }
  assert.deepEqual([await select(always), matchInMemory(always, records)], [[], []])

  for (const value of hostile)
    for (const field of ['title', 'email', 'custom.nickname'])
      for (const op of textOps) {
        const leaf = { field, op, value: isList(op) ? [value] : value }
        const parsed = parseRule(leaf, vocabulary)
        // Some of them contain no word.
        if ('problems' in parsed) assert.equal(op, 'has_any_word')
        else assert.deepEqual(await select(leaf), matchInMemory(leaf, records), JSON.stringify(leaf))
      }
  assert.equal((await owner.query('select id from scratch.records')).rowCount, 1)
})

test('SQL in names, operators, options, ids, dates and numbers is rejected', () => {
  const isRejected = (input: unknown) => 'problems' in parseRule(input, vocabulary)
  for (const text of hostile) {
    assert.ok(isRejected({ field: text, op: 'eq', value: 'x' }))
    assert.ok(isRejected({ field: `custom.${text}`, op: 'eq', value: 'x' }))
    assert.ok(isRejected({ field: 'title', op: text, value: 'x' }))
    for (const field of ['grade', 'owner_id', 'account_id', 'seats', 'revenue', 'custom.tier'])
      assert.ok(isRejected({ field, op: 'eq', value: text }), `${field} ${text}`)
    for (const field of ['starts_on', 'seen_at']) assert.ok(isRejected({ field, op: 'on', value: text }))
    assert.ok(isRejected({ [text]: [] }))
  }
})

test('SQL in tags and free options matches nothing', async () => {
  await fill([{ id: 'one', tags: ['plain'], source: 'web', products: ['core'], custom: { colors: ['red'] } }])
  for (const value of hostile)
    for (const field of ['tags', 'mirrored_tags', 'custom.colors'])
      assert.deepEqual(await select({ field, op: 'contains_any', value: [value] }), [], `${field} ${value}`)
  for (const value of hostile) assert.deepEqual(await select({ field: 'source', op: 'in', value: [value] }), [])
})

test('request values are bound and never part of the statement', async () => {
  const parsed = parseRule(
    {
      all: [
        { field: 'title', op: 'contains', value: 'Canary-One' },
        { field: 'title', op: 'has_any_word', value: ['canary two'] },
        { field: 'source', op: 'in', value: ['canary3'] },
        { field: 'tags', op: 'contains_any', value: ['canary4'] },
        { field: 'custom.nickname', op: 'eq', value: 'canary5' },
        { field: 'seats', op: 'gt', value: 987654 },
        { field: 'seats', op: 'gt', value: 98765.4 },
        { field: 'starts_on', op: 'on', value: '2031-01-17' },
        { field: 'seen_at', op: 'on', value: '2031-01-17' },
        { field: 'owner_id', op: 'is_me' },
      ],
    },
    vocabulary,
  )
  assert.ok('rule' in parsed)
  const condition = ruleCondition(parsed.rule, { alias: 'r', objectType: 'lead' }, atNoon)
  const { sql: statement, parameters } = await outsideTenant(db, async (tx) => sql`${condition}`.compile(tx))

  assert.doesNotMatch(statement, /canary|9876|2031|0189|nickname/i)
  const bound = JSON.stringify(parameters)
  for (const word of [
    'canary-one',
    'canary two',
    'canary3',
    'canary4',
    'canary5',
    'nickname',
    '987654',
    '2031-01-17',
    me,
  ])
    assert.ok(bound.includes(word), word)
})

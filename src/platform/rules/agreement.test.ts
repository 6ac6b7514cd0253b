// Random rules on random records match the same records in memory and in PostgreSQL, and `not` matches all others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { type Arbitrary } from 'fast-check'
import { sql } from 'kysely'
import { outsideTenant } from '#platform/db'
import { foldCaseSql, normalizeWordsSql } from './rule-columns.queries.ts'
import { atNoon, fields, matchInMemory, me, otherUser, type ScratchRow, startScratchDb } from './rules.fixture.ts'
import { foldCase, normalizeWords } from './text-folding.rules.ts'

const { db, fill, select } = await startScratchDb()

const letters = [...'aAbBiIıİsSßẞσΣςéÉeøØœ\'"%_\\ -,.·\t🚀中e\u0301']
const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 5 })
const nonEmptyText = text.filter((value) => value.trim() !== '')
const word = text.filter((value) => normalizeWords(value).trim() !== '')
const number = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constantFrom(-0.5, 0.5, 1.5))
const day = fc.integer({ min: -3, max: 3 }).map((days) => dayFrom(days))
const instant = fc.integer({ min: -72, max: 72 }).map((hours) => new Date(atNoon.now.getTime() + hours * 3_600_000))
const userId = fc.constantFrom(me, otherUser)
const subsetOf = (...values: string[]) => fc.subarray(values)
const many = <T>(one: Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 3 })
const range = <T extends number | string>(one: Arbitrary<T>) =>
  fc.tuple(one, one).map(([low, high]) => (low <= high ? [low, high] : [high, low]))
const maybe = <T>(one: Arbitrary<T>) => fc.option(one, { freq: 4 })
const dayFrom = (days: number) => new Date(atNoon.now.getTime() + days * 86_400_000).toISOString().slice(0, 10)

const record = fc.record({
  title: maybe(text),
  email: maybe(fc.string({ unit: fc.constantFrom(...'aAbB@.'), maxLength: 4 })),
  seats: maybe(fc.integer({ min: -2, max: 2 })),
  ratio: maybe(number),
  revenue_minor: maybe(fc.integer({ min: -200, max: 200 })),
  is_vip: maybe(fc.boolean()),
  starts_on: maybe(day),
  seen_at: maybe(instant),
  grade: maybe(fc.constantFrom('A', 'B', 'C')),
  owner_id: maybe(userId),
  products: maybe(subsetOf('core', 'plus', 'max')),
  tags: subsetOf('core', 'plus', 'max'),
  custom: fc.record(
    {
      nickname: fc.oneof(text, number),
      size: fc.oneof(number, text),
      tier: fc.constantFrom('gold', null, 1),
      met_at: instant,
    },
    { requiredKeys: [] },
  ),
})

const leaf = (names: string[], op: string, value?: Arbitrary<unknown>) =>
  fc.record({ field: fc.constantFrom(...names), op: fc.constant(op), ...(value && { value }) })
const leaves = (names: string[], ops: Record<string, Arbitrary<unknown> | undefined>) =>
  fc.oneof(...Object.entries(ops).map(([op, value]) => leaf(names, op, value)))
const presence = { is_set: undefined, is_not_set: undefined }
const texts = {
  eq: nonEmptyText,
  neq: nonEmptyText,
  in: many(nonEmptyText),
  not_in: many(nonEmptyText),
  starts_with: nonEmptyText,
}
const parts = { contains: nonEmptyText, not_contains: nonEmptyText, has_any_word: many(word) }
const numbers = { eq: number, neq: number, gt: number, gte: number, lt: number, lte: number, between: range(number) }
const euros = fc
  .integer({ min: -200, max: 200 })
  .map((cents) => ({ amount: (cents / 100).toFixed(2), currency: 'EUR' }))
const count = fc.integer({ min: 0, max: 3 })
const days = { on: day, before: day, after: day, between: range(day) }
const fromToday = { in_last_days: count, in_next_days: count, more_than_days_ago: count }
const values = many(fc.constantFrom('core', 'plus', 'max'))

const anyLeaf = fc.oneof(
  leaves(['title', 'email', 'custom.nickname'], { ...texts, ...parts, ...presence }),
  leaves(['seats', 'ratio', 'custom.size'], { ...numbers, ...presence }),
  leaves(['revenue'], { eq: euros, neq: euros, gt: euros, gte: euros, lt: euros, lte: euros, ...presence }),
  leaves(['is_vip'], { is: fc.boolean() }),
  leaves(['starts_on', 'seen_at', 'custom.met_at'], { ...days, ...fromToday, ...presence }),
  leaves(['grade'], { eq: fc.constantFrom('A', 'B'), not_in: many(fc.constantFrom('A', 'B')), ...presence }),
  leaves(['custom.tier'], { eq: fc.constant('gold'), neq: fc.constant('gold'), ...presence }),
  leaves(['owner_id'], {
    eq: userId,
    neq: userId,
    in: many(userId),
    not_in: many(userId),
    is_me: undefined,
    ...presence,
  }),
  leaves(['products', 'tags', 'mirrored_tags'], {
    contains_any: values,
    contains_all: values,
    contains_none: values,
    ...presence,
  }),
)
const { rule } = fc.letrec<{ rule: unknown }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    anyLeaf,
    fc.record({ all: fc.array(tie('rule'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('rule'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('rule') }),
  ),
}))
const timezone = fc.constantFrom('UTC', 'Asia/Tokyo', 'America/St_Johns', 'Pacific/Apia', 'America/Havana')

test('memory and PostgreSQL match the same records, and not matches all others', async () => {
  const property = fc.asyncProperty(
    fc.array(record, { minLength: 1, maxLength: 12 }),
    fc.array(rule, { minLength: 4, maxLength: 8 }),
    timezone,
    async (rows, rules, zone) => {
      const context = { ...atNoon, timezone: zone }
      const records = await fill(rows.map((row, index): ScratchRow => ({ id: String(index).padStart(2, '0'), ...row })))
      const allIds = records.map(({ id }) => id)
      for (const one of rules) {
        const found = await select(one, context)
        assert.deepEqual(matchInMemory(one, records, context), found, JSON.stringify(one))
        const others = allIds.filter((id) => !found.includes(id))
        assert.deepEqual(await select({ not: one }, context), others, JSON.stringify(one))
        assert.deepEqual(matchInMemory({ not: one }, records, context), others, JSON.stringify(one))
      }
    },
  )
  await fc.assert(property, { numRuns: 120, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false })
})

/** Letters that PostgreSQL 15 does not know yet. */
const isNewerLetter = (point: number) => point === 0x1c89 || (point > 0xa7ca && point < 0xa7f3)

test('every letter is folded the same way in memory and in PostgreSQL', async () => {
  const points = Array.from({ length: 0xffff }, (_, index) => index + 1)
  const all = points
    .filter((point) => !isNewerLetter(point) && (point < 0xd800 || point > 0xdfff))
    .map((point) => String.fromCodePoint(point))
  const samples = [...all, 'ΑΣ ΑΣΑ ΟΔΟΣ', 'e\u0301É', 'ﬁ™ Ⅷ', '각', 'Ǆ ǅ']

  const rows = await outsideTenant(db, async (tx) => {
    const lower = foldCaseSql(fields.title!, 'r')
    const words = normalizeWordsSql(sql.ref('r.title'))
    type FoldedRow = { title: string; lower: string; words: string }
    const statement = sql<FoldedRow>`select r.title, ${lower} as lower, ${words} as words from unnest(${samples}::text[]) r (title)`
    return (await statement.execute(tx)).rows
  })

  const different = rows.filter(
    ({ title, lower, words }) => lower !== foldCase(title) || words !== normalizeWords(title),
  )
  assert.equal(rows.length, samples.length)
  assert.deepEqual(
    different.map(({ title }) => `${title} U+${title.codePointAt(0)!.toString(16)}`),
    [],
  )
})

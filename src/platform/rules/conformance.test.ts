// Every operator of every field type matches the same records in memory and in PostgreSQL.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchInMemory, me, type OperatorCase, otherUser, rowsOf, startScratchDb } from './rules.fixture.ts'

const { fill, select, assertCases } = await startScratchDb()

const textCases: OperatorCase[] = [
  ['eq', 'software', 'lower upper'],
  ['eq', ' SOFTWARE ', 'lower upper'],
  ['neq', 'software', 'empty more none retail wild'],
  ['in', ['Software', 'RETAIL'], 'lower retail upper'],
  ['not_in', ['software', 'retail'], 'empty more none wild'],
  ['starts_with', 'SOFT', 'lower more upper'],
  ['starts_with', 'ware', ''],
  ['contains', 'WARE', 'lower more upper'],
  ['not_contains', 'ware', 'empty none retail wild'],
  ['contains', '%_\\', 'wild'],
  ['contains', '_', 'wild'],
  ['contains', '%', 'wild'],
  ['contains', '\\', 'wild'],
  ['starts_with', '1', 'wild'],
  ['starts_with', '%', ''],
  ['has_any_word', ['TOOLS', 'x'], 'more wild'],
  ['is_set', undefined, 'lower more retail upper wild'],
  ['is_not_set', undefined, 'empty none'],
]
const texts = {
  upper: 'SOFTWARE',
  lower: 'software',
  more: 'Software tools',
  retail: 'Retail',
  wild: '100%_\\x',
  empty: '',
  none: null,
}

test('text is compared case-insensitively and without wildcards', async () => {
  await assertCases('title', rowsOf('title', texts), textCases)
  await assertCases('email', rowsOf('email', texts), textCases)
  await assertCases('account.title', rowsOf('account_title', texts), textCases)
})

test('case folding covers non-ASCII letters and keeps accents', async () => {
  const rows = rowsOf('title', {
    accent: 'CAFÉ',
    plain: 'cafe',
    sharp: 'STRAẞE',
    double: 'Strasse',
    dotted: 'İZMİR',
    dotless: 'ızmır',
    greek: 'ΟΔΟΣ',
    final: 'οδος',
    cyrillic: 'МОСКВА',
    han: '東京',
  })
  await assertCases('title', rows, [
    ['eq', 'café', 'accent'],
    ['eq', 'straße', 'sharp'],
    ['eq', 'strasse', 'double'],
    ['eq', 'izmir', 'dotted'],
    ['eq', 'IZMIR', 'dotted'],
    ['eq', 'ızmır', 'dotless'],
    ['eq', 'οδοσ', 'final greek'],
    ['starts_with', 'ΟΔΌΣ', ''],
    ['contains', 'скв', 'cyrillic'],
    ['contains', '京', 'han'],
  ])
})

test('has_any_word matches whole words and ignores accents', async () => {
  const rows = rowsOf('title', {
    cto: 'CTO',
    director: 'Director of Sales',
    both: 'co-founder/CTO, Acme',
    accent: 'Président-directeur général',
    sharp: 'Straßenbau',
    nordic: 'Sjælø Þór',
    dotted: 'İŞ',
    greek: 'Ο ΔΡΟΜΟΣ',
    devanagari: 'मीना',
    han: '東京・支社',
    emoji: '🚀CTO🚀',
    wide: 'ＶＰ（Sales）',
    empty: '',
    gap: ' - ',
    none: null,
  })
  await assertCases('title', rows, [
    ['has_any_word', ['cto'], 'both cto emoji'],
    ['has_any_word', ['Founder', 'vp'], 'both wide'],
    ['has_any_word', ['co founder'], 'both'],
    ['has_any_word', ['Co-Founder, CTO'], 'both'],
    ['has_any_word', ['founder acme'], ''],
    ['has_any_word', ['PRESIDENT', 'x'], 'accent'],
    ['has_any_word', ['général'], 'accent'],
    ['has_any_word', ['strassenbau'], 'sharp'],
    ['has_any_word', ['strasse'], ''],
    ['has_any_word', ['sjaelo'], 'nordic'],
    ['has_any_word', ['THOR'], 'nordic'],
    ['has_any_word', ['is'], 'dotted'],
    ['has_any_word', ['δρομος'], 'greek'],
    ['has_any_word', ['मीना'], 'devanagari'],
    ['has_any_word', ['मी'], ''],
    ['has_any_word', ['支社'], 'han'],
    ['has_any_word', ['of%'], 'director'],
  ])
})

const numberCases: OperatorCase[] = [
  ['eq', 50, 'fifty'],
  ['eq', 49.5, ''],
  ['neq', 50, 'minus more none zero'],
  ['gt', 50, 'more'],
  ['gt', 49.5, 'fifty more'],
  ['gte', 50, 'fifty more'],
  ['lt', 50, 'minus zero'],
  ['lt', 50.5, 'fifty minus zero'],
  ['lte', 0, 'minus zero'],
  ['lte', -0, 'minus zero'],
  ['between', [0, 50], 'fifty zero'],
  ['between', [50, 50], 'fifty'],
  ['gt', 1e15, ''],
  ['lt', -1e15, ''],
  ['is_set', undefined, 'fifty minus more zero'],
  ['is_not_set', undefined, 'none'],
]
const numbers = { minus: -3, zero: 0, fifty: 50, more: 51, none: null }

test('numbers are compared numerically, and null is not 0', async () => {
  await assertCases('seats', rowsOf('seats', numbers), numberCases)
  await assertCases('ratio', rowsOf('ratio', numbers), numberCases)
  await assertCases('ratio', rowsOf('ratio', { third: 0.1 + 0.2, exact: 0.3 }), [
    ['eq', 0.3, 'exact'],
    ['gt', 0.3, 'third'],
  ])
})

test('amounts are compared in the currency of the workspace', async () => {
  const euros = (amount: string) => ({ amount, currency: 'EUR' })
  const minor = { cents: 1, even: 100_000_00, huge: Number.MAX_SAFE_INTEGER, none: null }
  await assertCases('revenue', rowsOf('revenue_minor', minor), [
    ['eq', euros('0.01'), 'cents'],
    ['neq', euros('0.01'), 'even huge none'],
    ['gte', euros('100000'), 'even huge'],
    ['gt', euros('100000.00'), 'huge'],
    ['gte', euros('90071992547409.91'), 'huge'],
    ['lt', euros('-5'), ''],
    ['lte', euros('0.01'), 'cents'],
    ['between', [euros('0'), euros('100000')], 'cents even'],
    ['is_set', undefined, 'cents even huge'],
    ['is_not_set', undefined, 'none'],
  ])
})

test('is false also matches records without a value', async () => {
  await assertCases('is_vip', rowsOf('is_vip', { yes: true, no: false, none: null }), [
    ['is', true, 'yes'],
    ['is', false, 'no none'],
  ])
})

test('options, users and references are compared exactly', async () => {
  const choices: OperatorCase[] = [
    ['eq', 'A', 'a'],
    ['neq', 'A', 'b none'],
    ['in', ['A', 'B'], 'a b'],
    ['not_in', ['B', 'C'], 'a none'],
    ['is_set', undefined, 'a b'],
    ['is_not_set', undefined, 'none'],
  ]
  await assertCases('grade', rowsOf('grade', { a: 'A', b: 'B', none: null }), choices)
  await assertCases('source', rowsOf('source', { a: 'A', b: 'B', none: '' }), [...choices, ['eq', 'a', '']])

  const userCases: OperatorCase[] = [
    ['eq', me, 'mine'],
    ['neq', me, 'none theirs'],
    ['in', [me, otherUser], 'mine theirs'],
    ['not_in', [otherUser], 'mine none'],
    ['is_set', undefined, 'mine theirs'],
    ['is_not_set', undefined, 'none'],
  ]
  const owners = { mine: me, theirs: otherUser, none: null }
  await assertCases('owner_id', rowsOf('owner_id', owners), [...userCases, ['is_me', undefined, 'mine']])
  await assertCases('account_id', rowsOf('account_id', owners), userCases)
})

test('is_me matches nothing without a user', async () => {
  const records = await fill(rowsOf('owner_id', { mine: me, none: null }))
  const withoutUser = { now: new Date(), timezone: 'UTC', me: null }
  const leaf = { field: 'owner_id', op: 'is_me' }

  assert.deepEqual([matchInMemory(leaf, records, withoutUser), await select(leaf, withoutUser)], [[], []])
  assert.deepEqual(await select({ not: leaf }, withoutUser), ['mine', 'none'])
})

test('an empty list counts as not set', async () => {
  const cases: OperatorCase[] = [
    ['contains_any', ['core', 'max'], 'all core two'],
    ['contains_all', ['core', 'plus'], 'all two'],
    ['contains_all', ['core', 'core'], 'all core two'],
    ['contains_none', ['core'], 'empty plus'],
    ['is_set', undefined, 'all core plus two'],
    ['is_not_set', undefined, 'empty'],
  ]
  const lists = { core: ['core'], plus: ['plus'], two: ['plus', 'core'], all: ['core', 'plus', 'max'], empty: [] }
  await assertCases('tags', rowsOf('tags', lists), [...cases, ['contains_any', ['CORE', `{"core"}`], '']])
  await assertCases('mirrored_tags', rowsOf('tags', lists), cases)
  await assertCases('products', rowsOf('products', { ...lists, empty: null }), cases)
})

import { test } from 'node:test'
import { me, type OperatorCase, otherUser, type ScratchRow, startScratchDb } from './rules.fixture.ts'

const { assertCases } = await startScratchDb()

/** Adds a record without the member, one with null and one with a value of another type. */
const custom = (key: string, values: Record<string, unknown>, wrongType: unknown): ScratchRow[] => [
  { id: 'none', custom: {} },
  { id: 'null', custom: { [key]: null } },
  { id: 'strange', custom: { [key]: wrongType } },
  ...Object.entries(values).map(([id, value]) => ({ id, custom: { [key]: value } })),
]

const presence = (expected: string): OperatorCase[] => [
  ['is_set', undefined, expected],
  ['is_not_set', undefined, 'none null strange'],
]

test('custom text is compared like text in a column', async () => {
  await assertCases('custom.nickname', custom('nickname', { upper: 'ACE', long: 'Ace of base' }, 5), [
    ['eq', 'ace', 'upper'],
    ['neq', 'ace', 'long none null strange'],
    ['in', ['ace', '5'], 'upper'],
    ['not_in', ['ACE'], 'long none null strange'],
    ['starts_with', 'ace', 'long upper'],
    ['contains', 'BASE', 'long'],
    ['not_contains', 'a', 'none null strange'],
    ['has_any_word', ['ace'], 'long upper'],
    ...presence('long upper'),
  ])
})

test('custom numbers are compared numerically', async () => {
  await assertCases('custom.size', custom('size', { nine: 9, ten: 10, half: 0.5 }, '10'), [
    ['eq', 10, 'ten'],
    ['gt', 9, 'ten'],
    ['lt', 9, 'half'],
    ['between', [0.5, 9], 'half nine'],
    ['neq', 9, 'half none null strange ten'],
    ...presence('half nine ten'),
  ])
})

test('custom booleans, options, users and lists are compared like columns', async () => {
  await assertCases('custom.is_open', custom('is_open', { yes: true, no: false }, 'true'), [
    ['is', true, 'yes'],
    ['is', false, 'no none null strange'],
  ])
  await assertCases('custom.tier', custom('tier', { gold: 'gold', silver: 'silver' }, ['gold']), [
    ['eq', 'gold', 'gold'],
    ['neq', 'gold', 'none null silver strange'],
    ['in', ['gold', 'silver'], 'gold silver'],
    ...presence('gold silver'),
  ])
  await assertCases('custom.partner', custom('partner', { mine: me, theirs: otherUser }, true), [
    ['eq', otherUser, 'theirs'],
    ['is_me', undefined, 'mine'],
    ['not_in', [me], 'none null strange theirs'],
    ...presence('mine theirs'),
  ])
  await assertCases('custom.colors', custom('colors', { red: ['red'], both: ['red', 'blue'] }, 'red'), [
    ['contains_any', ['red', 'green'], 'both red'],
    ['contains_all', ['blue', 'red'], 'both'],
    ['contains_none', ['blue'], 'none null red strange'],
    ...presence('both red'),
  ])
})

test('an empty custom list counts as not set', async () => {
  await assertCases(
    'custom.colors',
    [{ id: 'empty', custom: { colors: [] } }],
    [
      ['is_set', undefined, ''],
      ['contains_none', ['red'], 'empty'],
    ],
  )
})

test('an invalid custom date or datetime matches no day', async () => {
  const today: OperatorCase[] = [
    ['on', '2026-03-10', ''],
    ['in_last_days', 10, ''],
  ]
  await assertCases('custom.renews_on', custom('renews_on', {}, 20_260_310), today)
  await assertCases('custom.met_at', custom('met_at', { word: 'now' }, {}), today)
})

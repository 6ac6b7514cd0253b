import { test } from 'node:test'
import { type Case, me, type Row, somebody, startScratch } from './rules.fixture.ts'

const { holds } = await startScratch()

/** Beside what is asked for there are always a record without the member, one with null, and one of another kind. */
const custom = (key: string, values: Record<string, unknown>, strange: unknown): Row[] => [
  { id: 'none', custom: {} },
  { id: 'null', custom: { [key]: null } },
  { id: 'strange', custom: { [key]: strange } },
  ...Object.entries(values).map(([id, value]) => ({ id, custom: { [key]: value } })),
]

const ifSet = (expected: string): Case[] => [
  ['is_set', undefined, expected],
  ['is_not_set', undefined, 'none null strange'],
]

test('a custom text is compared like any other', async () => {
  await holds('custom.nickname', custom('nickname', { upper: 'ACE', long: 'Ace of base' }, 5), [
    ['eq', 'ace', 'upper'],
    ['neq', 'ace', 'long none null strange'],
    ['in', ['ace', '5'], 'upper'],
    ['not_in', ['ACE'], 'long none null strange'],
    ['starts_with', 'ace', 'long upper'],
    ['contains', 'BASE', 'long'],
    ['not_contains', 'a', 'none null strange'],
    ['has_any_word', ['ace'], 'long upper'],
    ...ifSet('long upper'),
  ])
})

test('a custom number is a number, not its spelling', async () => {
  await holds('custom.size', custom('size', { nine: 9, ten: 10, half: 0.5 }, '10'), [
    ['eq', 10, 'ten'],
    ['gt', 9, 'ten'],
    ['lt', 9, 'half'],
    ['between', [0.5, 9], 'half nine'],
    ['neq', 9, 'half none null strange ten'],
    ...ifSet('half nine ten'),
  ])
})

test('custom truths, choices, people and lists', async () => {
  await holds('custom.is_open', custom('is_open', { yes: true, no: false }, 'true'), [
    ['is', true, 'yes'],
    ['is', false, 'no none null strange'],
  ])
  await holds('custom.tier', custom('tier', { gold: 'gold', silver: 'silver' }, ['gold']), [
    ['eq', 'gold', 'gold'],
    ['neq', 'gold', 'none null silver strange'],
    ['in', ['gold', 'silver'], 'gold silver'],
    ...ifSet('gold silver'),
  ])
  await holds('custom.partner', custom('partner', { mine: me, theirs: somebody }, true), [
    ['eq', somebody, 'theirs'],
    ['is_me', undefined, 'mine'],
    ['not_in', [me], 'none null strange theirs'],
    ...ifSet('mine theirs'),
  ])
  await holds('custom.colors', custom('colors', { red: ['red'], both: ['red', 'blue'] }, 'red'), [
    ['contains_any', ['red', 'green'], 'both red'],
    ['contains_all', ['blue', 'red'], 'both'],
    ['contains_none', ['blue'], 'none null red strange'],
    ...ifSet('both red'),
  ])
})

test('an empty custom list is no value', async () => {
  await holds(
    'custom.colors',
    [{ id: 'empty', custom: { colors: [] } }],
    [
      ['is_set', undefined, ''],
      ['contains_none', ['red'], 'empty'],
    ],
  )
})

test('a custom day or instant that is not one falls on no day that is asked for', async () => {
  const today: Case[] = [
    ['on', '2026-03-10', ''],
    ['in_last_days', 10, ''],
  ]
  await holds('custom.renews_on', custom('renews_on', {}, 20_260_310), today)
  await holds('custom.met_at', custom('met_at', { word: 'now' }, {}), today)
})

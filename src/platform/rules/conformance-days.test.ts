import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchInMemory, type OperatorCase, rowsOf, startScratchDb } from './rules.fixture.ts'

const { fill, select, assertCases } = await startScratchDb()
const contextAt = (now: string, timezone: string) => ({ now: new Date(now), timezone, me: null })

/** Evaluated on 10 March. */
const dayCases: OperatorCase[] = [
  ['on', '2026-03-10', 'today'],
  ['before', '2026-03-10', 'far week yesterday'],
  ['after', '2026-03-10', 'later tomorrow'],
  ['between', ['2026-03-09', '2026-03-11'], 'today tomorrow yesterday'],
  ['between', ['2026-03-10', '2026-03-10'], 'today'],
  ['in_last_days', 0, 'today'],
  ['in_last_days', 1, 'today yesterday'],
  ['in_last_days', 7, 'today week yesterday'],
  ['in_last_days', 6, 'today yesterday'],
  ['more_than_days_ago', 7, 'far'],
  ['more_than_days_ago', 6, 'far week'],
  ['more_than_days_ago', 0, 'far week yesterday'],
  ['in_next_days', 0, 'today'],
  ['in_next_days', 1, 'today tomorrow'],
  ['in_next_days', 3650, 'later today tomorrow'],
  ['in_last_days', 3650, 'today week yesterday'],
  ['is_set', undefined, 'far later today tomorrow week yesterday'],
  ['is_not_set', undefined, 'none'],
]
const days = {
  far: '1999-12-31',
  week: '2026-03-03',
  yesterday: '2026-03-09',
  today: '2026-03-10',
  tomorrow: '2026-03-11',
  later: '2030-01-01',
  none: null,
}

test('dates are compared by calendar day', async () => {
  await assertCases('starts_on', rowsOf('starts_on', days), dayCases)
  const custom = Object.entries(days).map(([id, day]) => ({ id, custom: day ? { renews_on: day } : {} }))
  await assertCases('custom.renews_on', custom, dayCases)
})

test('an instant belongs to its day in the time zone of the workspace', async () => {
  // Tokyo is UTC+9: its day starts at 15:00 UTC of the previous day.
  const tokyo = contextAt('2026-03-09T20:00:00Z', 'Asia/Tokyo')
  const instants = {
    far: '1999-12-31T15:00:00Z',
    week: '2026-03-03T14:59:59.999Z',
    yesterday: '2026-03-09T14:59:59.999999Z',
    today: '2026-03-09T15:00:00Z',
    tomorrow: '2026-03-10T15:00:00Z',
    later: '2030-01-01T00:00:00Z',
    none: null,
  }
  await assertCases('seen_at', rowsOf('seen_at', instants), dayCases, tokyo)
  const custom = Object.entries(instants).map(([id, at]) => ({
    id,
    custom: at ? { met_at: new Date(at).toISOString() } : {},
  }))
  await assertCases('custom.met_at', custom, dayCases, tokyo)
})

/** A day with a clock change, and its first and last instant. */
const clockChanges: [name: string, timezone: string, day: string, first: string, last: string][] = [
  ['a day of 23 hours', 'Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59.999Z'],
  ['a day of 25 hours', 'Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59.999Z'],
  ['a day that skips midnight', 'America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z', '2018-11-05T01:59:59.999Z'],
  ['a day with two midnights', 'America/Havana', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T04:59:59.999Z'],
  ['a half-hour clock change', 'Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', '2026-04-05T13:29:59.999Z'],
  ['a day at UTC+14', 'Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00Z', '2026-01-01T09:59:59.999Z'],
]

for (const [name, timezone, day, first, last] of clockChanges)
  test(`${name} has the right first and last instant in ${timezone}`, async () => {
    const shift = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString()
    const instants = { before: shift(first, -1), first, last, after: shift(last, 1) }
    const cases: OperatorCase[] = [
      ['on', day, 'first last'],
      ['before', day, 'before'],
      ['after', day, 'after'],
      ['in_last_days', 0, 'first last'],
      ['in_next_days', 0, 'first last'],
      ['more_than_days_ago', 0, 'before'],
    ]
    await assertCases('seen_at', rowsOf('seen_at', instants), cases, contextAt(first, timezone))
    await assertCases('seen_at', rowsOf('seen_at', instants), cases, contextAt(last, timezone))
  })

test('a day that a time zone skipped has no instants', async () => {
  const samoa = contextAt('2011-12-31T00:00:00Z', 'Pacific/Apia')
  await assertCases(
    'seen_at',
    rowsOf('seen_at', { last: '2011-12-30T09:59:59.999Z', first: '2011-12-30T10:00:00Z' }),
    [
      ['on', '2011-12-29', 'last'],
      ['on', '2011-12-30', ''],
      ['on', '2011-12-31', 'first'],
      ['between', ['2011-12-29', '2011-12-31'], 'first last'],
    ],
    samoa,
  )
})

test('a relative rule matches other records on the next day', async () => {
  const records = await fill(rowsOf('starts_on', { tenth: '2026-03-10', eleventh: '2026-03-11' }))
  const leaf = { field: 'starts_on', op: 'in_last_days', value: 0 }
  const beforeMidnight = contextAt('2026-03-10T22:59:59.999Z', 'Europe/Berlin')
  const midnight = contextAt('2026-03-10T23:00:00Z', 'Europe/Berlin')

  assert.deepEqual(
    [matchInMemory(leaf, records, beforeMidnight), await select(leaf, beforeMidnight)],
    [['tenth'], ['tenth']],
  )
  assert.deepEqual([matchInMemory(leaf, records, midnight), await select(leaf, midnight)], [['eleventh'], ['eleventh']])
})

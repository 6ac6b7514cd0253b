import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Case, pick, rowsOf, startScratch } from './rules.fixture.ts'

const { fill, select, holds } = await startScratch()
const asker = (now: string, timezone: string) => ({ now: new Date(now), timezone, me: null })

/** Asked on the 10th of March. */
const dayCases: Case[] = [
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

test('days are compared as days', async () => {
  await holds('starts_on', rowsOf('starts_on', days), dayCases)
  const custom = Object.entries(days).map(([id, day]) => ({ id, custom: day ? { renews_on: day } : {} }))
  await holds('custom.renews_on', custom, dayCases)
})

test('an instant falls on the day it is in the time zone of the workspace', async () => {
  // Tokyo is nine hours ahead: its day begins at 15:00 UTC of the day before.
  const tokyo = asker('2026-03-09T20:00:00Z', 'Asia/Tokyo')
  const instants = {
    far: '1999-12-31T15:00:00Z',
    week: '2026-03-03T14:59:59.999Z',
    yesterday: '2026-03-09T14:59:59.999999Z',
    today: '2026-03-09T15:00:00Z',
    tomorrow: '2026-03-10T15:00:00Z',
    later: '2030-01-01T00:00:00Z',
    none: null,
  }
  await holds('seen_at', rowsOf('seen_at', instants), dayCases, tokyo)
  const custom = Object.entries(instants).map(([id, at]) => ({
    id,
    custom: at ? { met_at: new Date(at).toISOString() } : {},
  }))
  await holds('custom.met_at', custom, dayCases, tokyo)
})

/** Place, a day on which the clocks change there, and instants on both sides of its beginning and end. */
const changes: [name: string, zone: string, day: string, first: string, last: string][] = [
  ['a day of 23 hours', 'Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59.999Z'],
  ['a day of 25 hours', 'Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59.999Z'],
  ['a day without a midnight', 'America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z', '2018-11-05T01:59:59.999Z'],
  ['a midnight that comes twice', 'America/Havana', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T04:59:59.999Z'],
  ['a change of half an hour', 'Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', '2026-04-05T13:29:59.999Z'],
  [
    'the far side of the date line',
    'Pacific/Kiritimati',
    '2026-01-01',
    '2025-12-31T10:00:00Z',
    '2026-01-01T09:59:59.999Z',
  ],
]

for (const [name, zone, day, first, last] of changes)
  test(`${name} begins and ends when it does in ${zone}`, async () => {
    const moved = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString()
    const instants = { before: moved(first, -1), first, last, after: moved(last, 1) }
    const cases: Case[] = [
      ['on', day, 'first last'],
      ['before', day, 'before'],
      ['after', day, 'after'],
      ['in_last_days', 0, 'first last'],
      ['in_next_days', 0, 'first last'],
      ['more_than_days_ago', 0, 'before'],
    ]
    await holds('seen_at', rowsOf('seen_at', instants), cases, asker(first, zone))
    await holds('seen_at', rowsOf('seen_at', instants), cases, asker(last, zone))
  })

test('a day that a place left out has no instants', async () => {
  const samoa = asker('2011-12-31T00:00:00Z', 'Pacific/Apia')
  await holds(
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

test('the same rule means other records tomorrow', async () => {
  const records = await fill(rowsOf('starts_on', { tenth: '2026-03-10', eleventh: '2026-03-11' }))
  const leaf = { field: 'starts_on', op: 'in_last_days', value: 0 }
  const shortBefore = asker('2026-03-10T22:59:59.999Z', 'Europe/Berlin')
  const midnight = asker('2026-03-10T23:00:00Z', 'Europe/Berlin')

  assert.deepEqual([pick(leaf, records, shortBefore), await select(leaf, shortBefore)], [['tenth'], ['tenth']])
  assert.deepEqual([pick(leaf, records, midnight), await select(leaf, midnight)], [['eleventh'], ['eleventh']])
})

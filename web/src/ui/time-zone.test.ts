import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { formatDate, formatDateTime, formatSince, formatTime } from './format.ts'
import {
  currentTimeZone,
  dayNumberOf,
  daysSince,
  fromTimeInput,
  hourOf,
  setTimeZone,
  toDayInput,
  toTimeInput,
} from './time-zone.ts'

const browserZone = currentTimeZone()
afterEach(() => setTimeZone(browserZone))

test('times are shown and entered in the zone of the user', () => {
  setTimeZone('Asia/Tokyo')
  const at = '2026-11-20T01:00:00.000Z'

  assert.match(formatDateTime(at, 'en-GB'), /20 Nov 2026, 10:00/)
  assert.equal(formatTime(at, 'en-GB'), '10:00')
  assert.equal(toTimeInput(Date.parse(at)), '2026-11-20T10:00')
  assert.equal(fromTimeInput('2026-11-20T10:00'), at)
  assert.equal(hourOf(Date.parse(at)), 10)

  setTimeZone('America/Los_Angeles')
  assert.equal(toTimeInput(Date.parse(at)), '2026-11-19T17:00')
  assert.equal(fromTimeInput('2026-11-19T17:00'), at)
})

test('a date is the calendar day in the zone, and a day without a time is the same everywhere', () => {
  const at = '2026-11-19T23:30:00Z'

  setTimeZone('Asia/Tokyo')
  assert.match(formatDate(at, 'en-GB'), /^20 Nov/)
  assert.match(formatDate('2026-11-19', 'en-GB'), /^19 Nov/)
  assert.equal(formatSince('2026-11-19T14:30:00Z', Date.parse(at), 'en-GB'), 'Yesterday')
  setTimeZone('UTC')
  assert.match(formatDate(at, 'en-GB'), /^19 Nov/)
  assert.equal(formatSince('2026-11-19T14:30:00Z', Date.parse(at), 'en-GB'), 'Today')
  assert.equal(dayNumberOf(Date.parse(at)) - dayNumberOf(Date.parse('2026-11-18T00:00:00Z')), 1)
})

test('a time is entered correctly on the days on which the clocks change', () => {
  setTimeZone('Europe/Berlin')

  assert.equal(fromTimeInput('2026-03-29T01:30'), '2026-03-29T00:30:00.000Z')
  assert.equal(fromTimeInput('2026-03-29T03:30'), '2026-03-29T01:30:00.000Z')
  assert.equal(fromTimeInput('2026-10-25T04:00'), '2026-10-25T03:00:00.000Z')
  assert.equal(fromTimeInput('2026-10-25T01:30'), '2026-10-24T23:30:00.000Z')
})

const zones = ['America/Los_Angeles', 'Asia/Kathmandu', 'Asia/Tokyo']
/** Around the days on which the clocks of Los Angeles change, and far away from them. */
const days = ['2027-03-13', '2027-03-14', '2027-03-15', '2027-11-06', '2027-11-07', '2027-11-08', '2028-02-29']
const isSkipped = (zone: string, text: string) => zone === zones[0] && /^2027-03-14T02/.test(text)

test('a time that is typed is shown as typed, on all hours around a change of the clocks', () => {
  for (const zone of zones) {
    setTimeZone(zone)
    for (const day of days)
      for (let hour = 0; hour < 24; hour++)
        for (const minute of ['00', '15', '59']) {
          const text = `${day}T${String(hour).padStart(2, '0')}:${minute}`
          if (isSkipped(zone, text)) continue
          const at = fromTimeInput(text)
          assert.equal(toTimeInput(Date.parse(at)), text, zone)
          assert.equal(hourOf(Date.parse(at)), hour)
          assert.equal(toDayInput(Date.parse(at)), day)
        }
  }
})

test('typed times are stored as the moments of the zone on both sides of a change', () => {
  const stored: Record<string, Record<string, string>> = {
    'America/Los_Angeles': {
      '2027-03-13T09:00': '2027-03-13T17:00:00.000Z',
      '2027-03-15T09:00': '2027-03-15T16:00:00.000Z',
      '2027-11-06T09:00': '2027-11-06T16:00:00.000Z',
      '2027-11-08T09:00': '2027-11-08T17:00:00.000Z',
    },
    'Asia/Kathmandu': {
      '2027-03-15T00:15': '2027-03-14T18:30:00.000Z',
      '2027-11-08T05:44': '2027-11-07T23:59:00.000Z',
    },
    'Asia/Tokyo': { '2027-03-15T08:59': '2027-03-14T23:59:00.000Z', '2027-11-08T09:00': '2027-11-08T00:00:00.000Z' },
  }
  for (const [zone, times] of Object.entries(stored)) {
    setTimeZone(zone)
    for (const [text, at] of Object.entries(times)) assert.equal(fromTimeInput(text), at, `${zone} ${text}`)
  }
})

test('a skipped time is an hour later, and of a repeated one the first is meant, in every part of the world', () => {
  const changes = {
    'America/Los_Angeles': [
      ['2027-03-14T02:30', '2027-03-14T03:30', '2027-03-14T10:30:00.000Z'],
      ['2027-11-07T01:30', '2027-11-07T01:30', '2027-11-07T08:30:00.000Z'],
    ],
    'Europe/Berlin': [
      ['2027-03-28T02:30', '2027-03-28T03:30', '2027-03-28T01:30:00.000Z'],
      ['2027-10-31T02:30', '2027-10-31T02:30', '2027-10-31T00:30:00.000Z'],
    ],
    'Australia/Lord_Howe': [['2027-10-03T02:15', '2027-10-03T02:45', '2027-10-02T15:45:00.000Z']],
  }
  for (const [zone, times] of Object.entries(changes)) {
    setTimeZone(zone)
    for (const [typed, shown, at] of times) {
      assert.equal(fromTimeInput(typed!), at, `${zone} ${typed}`)
      assert.equal(toTimeInput(Date.parse(at!)), shown)
    }
  }
})

test('today ends at midnight of the zone, also on days of 23 and 25 hours', () => {
  const edges: [zone: string, day: string, start: string, end: string][] = [
    ['America/Los_Angeles', '2027-03-14', '2027-03-14T08:00:00Z', '2027-03-15T07:00:00Z'],
    ['America/Los_Angeles', '2027-11-07', '2027-11-07T07:00:00Z', '2027-11-08T08:00:00Z'],
    ['Asia/Kathmandu', '2027-03-14', '2027-03-13T18:15:00Z', '2027-03-14T18:15:00Z'],
    ['Asia/Tokyo', '2027-11-07', '2027-11-06T15:00:00Z', '2027-11-07T15:00:00Z'],
  ]
  for (const [zone, day, start, end] of edges) {
    setTimeZone(zone)
    const [first, next] = [Date.parse(start), Date.parse(end)]
    assert.deepEqual(
      [first - 1, first, next - 1, next].map((at) => daysSince(day, at)),
      [-1, 0, 0, 1],
      zone,
    )
    assert.equal(toDayInput(next - 1), day)
    assert.equal(toDayInput(next - 1, 1), toDayInput(next))
    assert.equal(formatSince(start, next - 1, 'en-GB'), 'Today')
    assert.equal(formatSince(start, next, 'en-GB'), 'Yesterday')
  }
})

test('an unknown zone leaves the current one', () => {
  setTimeZone('Asia/Tokyo')

  setTimeZone('Mars/Phobos')

  assert.equal(currentTimeZone(), 'Asia/Tokyo')
})

import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { formatDate, formatDateTime, formatSince, formatTime } from './format.ts'
import { currentTimeZone, dayNumberOf, fromTimeInput, hourOf, setTimeZone, toTimeInput } from './time-zone.ts'

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

test('an unknown zone leaves the current one', () => {
  setTimeZone('Asia/Tokyo')

  setTimeZone('Mars/Phobos')

  assert.equal(currentTimeZone(), 'Asia/Tokyo')
})

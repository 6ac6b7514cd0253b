import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays, dayInTimezone, startOfDay } from './days.ts'

test('the calendar day of an instant depends on the time zone', () => {
  const instant = new Date('2026-12-31T23:30:00Z')

  assert.equal(dayInTimezone(instant, 'UTC'), '2026-12-31')
  assert.equal(dayInTimezone(instant, 'Europe/Berlin'), '2027-01-01')
  assert.equal(dayInTimezone(instant, 'America/Los_Angeles'), '2026-12-31')
})

test('days are added across months, years and leap days', () => {
  assert.equal(addDays('2028-02-28', 1), '2028-02-29')
  assert.equal(addDays('2026-12-31', 1), '2027-01-01')
  assert.equal(addDays('2026-03-01', -1), '2026-02-28')
})

test('a day starts at midnight of its time zone, or after the hour that a clock change skips', () => {
  assert.equal(startOfDay('2026-03-02', 'UTC'), '2026-03-02T00:00:00.000Z')
  assert.equal(startOfDay('2026-07-01', 'Europe/Berlin'), '2026-06-30T22:00:00.000Z')
  assert.equal(startOfDay('2026-09-06', 'America/Santiago'), '2026-09-06T04:00:00.000Z')
})

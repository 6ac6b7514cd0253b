import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addLocalDays, isTimeZone, timestampAt } from './time-zones.ts'

test('a time zone is an IANA name, not an offset', () => {
  assert.deepEqual(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'].filter(isTimeZone).length, 4)
  assert.deepEqual(['+02:00', 'Mars/Olympus', '', 'Europe/Berlin; drop'].filter(isTimeZone), [])
})

test('a local time is converted with the offset of its day, and a skipped time is shifted forward', () => {
  const at = (day: string, time: string) => new Date(timestampAt(day, time, 'Europe/Berlin')).toISOString()

  assert.equal(at('2026-01-15', '09:00'), '2026-01-15T08:00:00.000Z')
  assert.equal(at('2026-07-15', '09:00'), '2026-07-15T07:00:00.000Z')
  assert.equal(at('2026-03-29', '02:30'), '2026-03-29T01:30:00.000Z')
})

test('a skipped local time is shifted forward and a repeated one is the first, west of Greenwich too', () => {
  const at = (day: string, time: string) => new Date(timestampAt(day, time, 'America/New_York')).toISOString()

  assert.equal(at('2026-03-08', '01:59'), '2026-03-08T06:59:00.000Z')
  assert.equal(at('2026-03-08', '02:30'), '2026-03-08T07:30:00.000Z')
  assert.equal(at('2026-11-01', '01:30'), '2026-11-01T05:30:00.000Z')
  assert.equal(at('2026-11-01', '24:00'), '2026-11-02T05:00:00.000Z')
})

test('calendar days are added in local time', () => {
  const later = (from: string, days: number) => addLocalDays(new Date(from), days, 'Europe/Berlin').toISOString()

  assert.equal(later('2026-03-28T08:00:00.250Z', 1), '2026-03-29T07:00:00.250Z')
  assert.equal(later('2026-03-30T07:00:00Z', -2), '2026-03-28T08:00:00.000Z')
  assert.equal(later('2026-10-24T22:30:00Z', 1), '2026-10-25T23:30:00.000Z')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimeZone, timestampAt } from './time-zones.ts'

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

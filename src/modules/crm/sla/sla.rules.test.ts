import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BusinessHours, calculateSlaDueAt, deriveSlaStatus } from './sla.rules.ts'

const office: BusinessHours = {
  timezone: 'Europe/Berlin',
  days: [1, 2, 3, 4, 5],
  start: '09:00',
  end: '17:00',
  holidays: [],
}
const due = (from: string, minutes: number, hours: BusinessHours | null = office) =>
  calculateSlaDueAt(new Date(from), minutes, hours).toISOString()

test('without business hours all time counts', () => {
  assert.equal(due('2026-03-06T22:50:00Z', 15, null), '2026-03-06T23:05:00.000Z')
})

test('only time within business hours counts, and the rest continues on the next day', () => {
  assert.equal(due('2026-03-04T09:00:00Z', 15), '2026-03-04T09:15:00.000Z')
  assert.equal(due('2026-03-04T15:50:00Z', 10), '2026-03-04T16:00:00.000Z')
  assert.equal(due('2026-03-04T15:50:00Z', 11), '2026-03-05T08:01:00.000Z')
  assert.equal(due('2026-03-04T03:00:00Z', 60), '2026-03-04T09:00:00.000Z')
  assert.equal(due('2026-03-04T20:00:00Z', 60), '2026-03-05T09:00:00.000Z')
})

test('weekends and holidays do not count', () => {
  assert.equal(due('2026-03-06T15:45:00Z', 30), '2026-03-09T08:15:00.000Z')
  assert.equal(due('2026-03-06T15:45:00Z', 30, { ...office, holidays: ['2026-03-09'] }), '2026-03-10T08:15:00.000Z')
  assert.equal(due('2026-03-07T12:00:00Z', 480), '2026-03-09T16:00:00.000Z')
})

test('business hours follow local time across daylight saving changes', () => {
  // Daylight saving time in Germany: 29 March to 25 October 2026.
  assert.equal(due('2026-03-27T15:30:00Z', 60), '2026-03-30T07:30:00.000Z')
  assert.equal(due('2026-10-23T14:30:00Z', 60), '2026-10-26T08:30:00.000Z')
  const nights = { ...office, days: [7], start: '01:00', end: '04:00' }
  assert.equal(due('2026-03-28T12:00:00Z', 120, nights), '2026-03-29T02:00:00.000Z')
  assert.equal(due('2026-10-24T12:00:00Z', 240, nights), '2026-10-25T03:00:00.000Z')
})

test('the day is the local day in time zones far from UTC', () => {
  const auckland = { ...office, timezone: 'Pacific/Auckland' }
  assert.equal(due('2026-06-14T20:00:00Z', 60, auckland), '2026-06-14T22:00:00.000Z')
  const honolulu = { ...office, timezone: 'Pacific/Honolulu' }
  assert.equal(due('2026-06-13T02:00:00Z', 120, honolulu), '2026-06-15T20:00:00.000Z')
})

test('very short business hours still give a deadline', () => {
  const hours = { ...office, days: [1], start: '09:00', end: '09:01' }
  assert.ok(calculateSlaDueAt(new Date('2026-03-04T09:00:00Z'), 43_200, hours) > new Date('2035-01-01'))
})

test('the SLA status is pending until due, then met or breached by the first response', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
  const status = (first: Date | null, now: Date, breached: Date | null = null) =>
    deriveSlaStatus({ sla_due_at: at(15), sla_breached_at: breached, first_responded_at: first }, now)

  assert.equal(status(null, at(10)), 'pending')
  assert.equal(status(null, at(16)), 'breached')
  assert.equal(status(at(15), at(60)), 'met')
  assert.equal(status(at(16), at(60), at(15)), 'breached')
  assert.equal(deriveSlaStatus({ sla_due_at: null, sla_breached_at: null, first_responded_at: null }, at(0)), 'none')
})

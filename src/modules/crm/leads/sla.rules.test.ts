import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hours, slaDueAt, slaStatus } from './sla.rules.ts'

const office: Hours = { timezone: 'Europe/Berlin', days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00', holidays: [] }
const due = (from: string, minutes: number, hours: Hours | null = office) =>
  slaDueAt(new Date(from), minutes, hours).toISOString()

test('without business hours the clock never stands still', () => {
  assert.equal(due('2026-03-06T22:50:00Z', 15, null), '2026-03-06T23:05:00.000Z')
})

test('inside business hours minutes are minutes, and what is left is carried to the next day', () => {
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

test('business hours stay where the wall clock shows them when clocks change', () => {
  // Germany goes to summer time on 29 March 2026 and back on 25 October.
  assert.equal(due('2026-03-27T15:30:00Z', 60), '2026-03-30T07:30:00.000Z')
  assert.equal(due('2026-10-23T14:30:00Z', 60), '2026-10-26T08:30:00.000Z')
  const nights = { ...office, days: [7], start: '01:00', end: '04:00' }
  assert.equal(due('2026-03-28T12:00:00Z', 120, nights), '2026-03-29T02:00:00.000Z')
  assert.equal(due('2026-10-24T12:00:00Z', 240, nights), '2026-10-25T03:00:00.000Z')
})

test('far from UTC the day is the one over there', () => {
  const auckland = { ...office, timezone: 'Pacific/Auckland' }
  assert.equal(due('2026-06-14T20:00:00Z', 60, auckland), '2026-06-14T22:00:00.000Z')
  const honolulu = { ...office, timezone: 'Pacific/Honolulu' }
  assert.equal(due('2026-06-13T02:00:00Z', 120, honolulu), '2026-06-15T20:00:00.000Z')
})

test('the shortest hours end some day', () => {
  const hours = { ...office, days: [1], start: '09:00', end: '09:01' }
  assert.ok(slaDueAt(new Date('2026-03-04T09:00:00Z'), 43_200, hours) > new Date('2035-01-01'))
})

test('an answer in time meets the promise, a late one does not, and none is waited for until it is due', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
  const status = (first: Date | null, now: Date, breached: Date | null = null) =>
    slaStatus({ sla_due_at: at(15), sla_breached_at: breached, first_responded_at: first }, now)

  assert.equal(status(null, at(10)), 'pending')
  assert.equal(status(null, at(16)), 'breached')
  assert.equal(status(at(15), at(60)), 'met')
  assert.equal(status(at(16), at(60), at(15)), 'breached')
  assert.equal(slaStatus({ sla_due_at: null, sla_breached_at: null, first_responded_at: null }, at(0)), 'none')
})

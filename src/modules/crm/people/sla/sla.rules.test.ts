import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveSlaDueAt, deriveSlaStatus } from './sla.rules.ts'

const office = { timezone: null, days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00', holidays: [] }
const due = (grade: string, businessHoursOnly: boolean, timezone: string | null = null) =>
  deriveSlaDueAt(
    { grade, created_at: new Date('2026-03-06T15:50:00Z') },
    {
      minutes: { a: 15, b: 60, c: 480 },
      business_hours_only: businessHoursOnly,
      business_hours: { ...office, timezone },
      count_automated: false,
    },
    'Europe/Berlin',
  ).toISOString()

test('the minutes depend on the grade, and without business hours all time counts', () => {
  assert.equal(due('A', false), '2026-03-06T16:05:00.000Z')
  assert.equal(due('C', false), '2026-03-06T23:50:00.000Z')
})

test('business hours are in their own time zone or in that of the workspace', () => {
  assert.equal(due('A', true), '2026-03-09T08:05:00.000Z')
  assert.equal(due('A', true, 'America/New_York'), '2026-03-06T16:05:00.000Z')
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

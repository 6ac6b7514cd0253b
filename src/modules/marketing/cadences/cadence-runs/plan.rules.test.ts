import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextRunTime, planRun, type RunTimes } from './plan.rules.ts'

const weekdays = { days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }
const berlin: RunTimes = { window: weekdays, timezone: 'Europe/Berlin', holidays: [], away: null }
const at = (instant: string) => new Date(instant)
const wait = (delay_days: number, business_days = true, delay_hours = 0) => ({ delay_days, delay_hours, business_days })
const plan = (from: string, delay = wait(0), times = berlin, earliest = from) =>
  planRun({ delay, from: at(from), earliest: at(earliest), times }).toISOString()

test('crm-5-8 both planning examples are exact to the minute, and a wait over the change of the clocks keeps the local time', () => {
  assert.equal(plan('2026-03-06T15:00+01:00'), '2026-03-06T14:00:00.000Z', 'enrolled on Friday at 15:00: at once')
  assert.equal(plan('2026-03-06T15:00+01:00', wait(2)), '2026-03-10T14:00:00.000Z', 'Tuesday 15:00')
  assert.equal(plan('2026-03-06T18:30+01:00'), '2026-03-09T08:00:00.000Z', 'enrolled on Friday at 18:30: Monday 09:00')
  assert.equal(plan('2026-03-09T09:00+01:00', wait(2)), '2026-03-11T08:00:00.000Z', 'Wednesday 09:00')

  assert.equal(plan('2026-03-27T15:00+01:00', wait(1)), '2026-03-30T13:00:00.000Z', 'Monday 15:00 in summer time')
  assert.equal(plan('2026-03-27T15:00+01:00', wait(3, false)), '2026-03-30T13:00:00.000Z', 'the same in calendar days')
  assert.equal(plan('2026-03-28T12:00+01:00', wait(0)), '2026-03-30T07:00:00.000Z', 'Monday 09:00 in summer time')
  assert.equal(plan('2026-10-23T15:00+02:00', wait(1)), '2026-10-26T14:00:00.000Z', 'and back to winter time')
})

test('the window is that of the time zone of the person, and its end is outside', () => {
  const tokyo = { ...berlin, timezone: 'Asia/Tokyo' }
  assert.equal(plan('2026-03-09T08:00:00Z', wait(0), tokyo), '2026-03-10T00:00:00.000Z')
  assert.equal(plan('2026-03-09T07:59:59Z', wait(0), tokyo), '2026-03-09T07:59:59.000Z')
  const night = { ...berlin, window: { days: [7], start: '23:00', end: '24:00' } }
  assert.equal(plan('2026-03-09T12:00:00Z', wait(0), night), '2026-03-15T22:00:00.000Z')
})

test('hours are added to the days, and a run is never planned in the past', () => {
  assert.equal(plan('2026-03-09T09:30+01:00', wait(0, true, 5)), '2026-03-09T13:30:00.000Z')
  assert.equal(plan('2026-03-09T09:30+01:00', wait(1, true, 8)), '2026-03-11T08:00:00.000Z')
  assert.equal(plan('2026-03-09T09:30+01:00', wait(1), berlin, '2026-03-31T10:00:00Z'), '2026-03-31T10:00:00.000Z')
})

test('holidays and the days on which the sender is away are left out; only holidays lengthen a wait', () => {
  const easter = { ...berlin, holidays: ['2026-04-03', '2026-04-06'] }
  assert.equal(plan('2026-04-02T10:00:00Z', wait(1), easter), '2026-04-07T10:00:00.000Z')
  assert.equal(plan('2026-04-03T10:00:00Z', wait(0), easter), '2026-04-07T07:00:00.000Z')
  const away = { ...berlin, away: { from: '2026-03-09', to: '2026-03-13' } }
  assert.equal(plan('2026-03-06T15:00+01:00', wait(2), away), '2026-03-16T08:00:00.000Z')
  assert.equal(plan('2026-03-06T15:00+01:00', wait(0), away), '2026-03-06T14:00:00.000Z')
})

test('the search for a day ends if there is none', () => {
  const none = { ...berlin, window: { ...weekdays, days: [] } }
  const always = { ...berlin, away: { from: '2026-01-01', to: '2099-12-31' } }
  assert.ok(nextRunTime(at('2026-03-06T10:00:00Z'), none).getUTCFullYear() >= 2036)
  assert.equal(nextRunTime(at('2026-03-06T10:00:00Z'), always).getUTCFullYear(), 2100)
  assert.ok(
    planRun({ delay: wait(3), from: at('2026-03-06T10:00:00Z'), earliest: at('2026-03-06T10:00:00Z'), times: none }),
  )
})

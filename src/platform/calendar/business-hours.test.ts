import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addBusinessDays, addBusinessMinutes, type BusinessHours, nextBusinessTime } from './business-hours.ts'

const office: BusinessHours = {
  timezone: 'Europe/Berlin',
  days: [1, 2, 3, 4, 5],
  start: '09:00',
  end: '17:00',
  holidays: [],
}
const add = (from: string, minutes: number, hours: BusinessHours = office) =>
  addBusinessMinutes(new Date(from), minutes, hours).toISOString()

test('only time within business hours counts, and the rest continues on the next day', () => {
  assert.equal(add('2026-03-04T09:00:00Z', 15), '2026-03-04T09:15:00.000Z')
  assert.equal(add('2026-03-04T15:50:00Z', 10), '2026-03-04T16:00:00.000Z')
  assert.equal(add('2026-03-04T15:50:00Z', 11), '2026-03-05T08:01:00.000Z')
  assert.equal(add('2026-03-04T03:00:00Z', 60), '2026-03-04T09:00:00.000Z')
  assert.equal(add('2026-03-04T20:00:00Z', 60), '2026-03-05T09:00:00.000Z')
})

test('weekends and holidays do not count', () => {
  assert.equal(add('2026-03-06T15:45:00Z', 30), '2026-03-09T08:15:00.000Z')
  assert.equal(add('2026-03-06T15:45:00Z', 30, { ...office, holidays: ['2026-03-09'] }), '2026-03-10T08:15:00.000Z')
  assert.equal(add('2026-03-07T12:00:00Z', 480), '2026-03-09T16:00:00.000Z')
})

test('business hours follow local time across daylight saving changes', () => {
  // Daylight saving time in Germany: 29 March to 25 October 2026.
  assert.equal(add('2026-03-27T15:30:00Z', 60), '2026-03-30T07:30:00.000Z')
  assert.equal(add('2026-10-23T14:30:00Z', 60), '2026-10-26T08:30:00.000Z')
  const nights = { ...office, days: [7], start: '01:00', end: '04:00' }
  assert.equal(add('2026-03-28T12:00:00Z', 120, nights), '2026-03-29T02:00:00.000Z')
  assert.equal(add('2026-10-24T12:00:00Z', 240, nights), '2026-10-25T03:00:00.000Z')
})

test('the day is the local day in time zones far from UTC', () => {
  const auckland = { ...office, timezone: 'Pacific/Auckland' }
  assert.equal(add('2026-06-14T20:00:00Z', 60, auckland), '2026-06-14T22:00:00.000Z')
  const honolulu = { ...office, timezone: 'Pacific/Honolulu' }
  assert.equal(add('2026-06-13T02:00:00Z', 120, honolulu), '2026-06-15T20:00:00.000Z')
})

test('very short business hours still give an end', () => {
  const hours = { ...office, days: [1], start: '09:00', end: '09:01' }
  assert.ok(addBusinessMinutes(new Date('2026-03-04T09:00:00Z'), 43_200, hours) > new Date('2035-01-01'))
})

test('a clock that stops at weekends counts all hours of the other days', () => {
  const weekdays = { ...office, start: '00:00', end: '24:00' }
  assert.equal(add('2026-03-06T14:00:00Z', 24 * 60, weekdays), '2026-03-09T14:00:00.000Z')
  assert.equal(add('2026-03-07T14:00:00Z', 4 * 60, weekdays), '2026-03-09T03:00:00.000Z')
  assert.equal(add('2026-03-27T14:00:00Z', 24 * 60, weekdays), '2026-03-30T13:00:00.000Z')
})

test('business days keep the local time, also across a weekend, a holiday and a clock change', () => {
  const later = (from: string, days: number, hours: BusinessHours = office) =>
    addBusinessDays(new Date(from), days, hours).toISOString()

  assert.equal(later('2026-03-06T14:00:00Z', 2), '2026-03-10T14:00:00.000Z')
  assert.equal(later('2026-03-06T14:00:00Z', 2, { ...office, holidays: ['2026-03-09'] }), '2026-03-11T14:00:00.000Z')
  assert.equal(later('2026-03-07T14:00:00Z', 1), '2026-03-09T14:00:00.000Z')
  assert.equal(later('2026-03-27T14:00:00Z', 1), '2026-03-30T13:00:00.000Z')
  assert.equal(later('2026-03-06T14:00:12.345Z', 0), '2026-03-06T14:00:12.345Z')
})

test('the next business time is the instant itself or the next opening', () => {
  const next = (at: string, hours: BusinessHours = office) => nextBusinessTime(new Date(at), hours).toISOString()

  assert.equal(next('2026-03-06T14:00:00Z'), '2026-03-06T14:00:00.000Z')
  assert.equal(next('2026-03-06T17:30:00Z'), '2026-03-09T08:00:00.000Z')
  assert.equal(next('2026-03-06T16:00:00Z'), '2026-03-09T08:00:00.000Z')
  assert.equal(next('2026-03-06T02:00:00Z'), '2026-03-06T08:00:00.000Z')
  assert.equal(next('2026-03-28T12:00:00Z'), '2026-03-30T07:00:00.000Z')
  assert.equal(next('2026-03-28T12:00:00Z', { ...office, holidays: ['2026-03-30'] }), '2026-03-31T07:00:00.000Z')
})

const quarterHourMs = 900_000
const timeAt = (quarters: number) =>
  `${String(Math.floor(quarters / 4)).padStart(2, '0')}:${String((quarters % 4) * 15).padStart(2, '0')}`

/** Excludes times that a clock change skips or repeats: an opening at such a time is ambiguous. */
const anyQuarter = fc.integer({ min: 0, max: 96 }).filter((quarters) => quarters <= 4 || quarters >= 12)

const anyHours = fc
  .record({
    timezone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'),
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    times: fc.uniqueArray(anyQuarter, { minLength: 2, maxLength: 2 }),
    holidays: fc.subarray(['2026-03-28', '2026-03-29', '2026-03-30', '2026-10-25']),
  })
  .map(({ times, ...hours }) => {
    const [start, end] = times.sort((a, b) => a - b).map(timeAt)
    return { ...hours, start: start!, end: end! } satisfies BusinessHours
  })

/** Instants around the clock changes of the year, on a quarter of an hour. */
const anyInstant = fc
  .tuple(
    fc.constantFrom('2026-03-06', '2026-03-26', '2026-04-03', '2026-10-02', '2026-10-23', '2026-10-30'),
    fc.nat(480),
  )
  .map(([day, quarters]) => new Date(Date.parse(day) + quarters * quarterHourMs))

/** Counts open quarters of an hour by their local time, independently of the implementation. */
function countOpenMinutes(from: Date, to: Date, { timezone, days, start, end, holidays }: BusinessHours): number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' })
  let minutes = 0
  for (let at = from.getTime(); at < to.getTime(); at += quarterHourMs) {
    const [day, time] = format.format(at).split(' ') as [string, string]
    const isOpen = days.includes(new Date(day).getUTCDay() || 7) && !holidays.includes(day)
    if (isOpen && time >= start && time < end) minutes += 15
  }
  return minutes
}

test('added business minutes are the open minutes between both instants, in every time zone', () => {
  fc.assert(
    fc.property(anyInstant, fc.integer({ min: 1, max: 40 }), anyHours, (from, quarters, hours) => {
      const to = addBusinessMinutes(from, quarters * 15, hours)
      assert.equal(countOpenMinutes(from, to, hours), quarters * 15)
      assert.equal(countOpenMinutes(new Date(to.getTime() - quarterHourMs), to, hours), 15)
    }),
    { numRuns: 150 },
  )
})

test('adding business minutes is monotone, and two steps end where one step ends', () => {
  const anyMinutes = fc.integer({ min: 0, max: 2_000 })
  fc.assert(
    fc.property(anyInstant, anyInstant, anyMinutes, anyMinutes, anyHours, (one, other, minutes, more, hours) => {
      const [earlier, later] = one <= other ? [one, other] : [other, one]
      const end = addBusinessMinutes(earlier, minutes, hours)
      assert.ok(end >= earlier)
      assert.ok(end <= addBusinessMinutes(later, minutes, hours))
      assert.deepEqual(addBusinessMinutes(end, more, hours), addBusinessMinutes(earlier, minutes + more, hours))
      const next = nextBusinessTime(earlier, hours)
      assert.ok(next >= earlier && addBusinessMinutes(next, 1, hours) > next)
      assert.deepEqual(nextBusinessTime(next, hours), next)
    }),
    { numRuns: 150 },
  )
})

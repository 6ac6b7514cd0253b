import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { startTestDb } from '#testing'
import { isDate, isDateTime } from './formats.ts'
import { CalendarDay, Instant } from './index.ts'

const { owner } = await startTestDb()

/** Numbers within and just outside of their range. */
const digits = (length: number, max: number) => fc.nat({ max }).map((number) => String(number).padStart(length, '0'))
const date = fc
  .tuple(fc.oneof(digits(4, 9_999), fc.constantFrom('0000', '1900', '2000')), digits(2, 14), digits(2, 33))
  .map((parts) => parts.join('-'))
const offset = fc.oneof(
  fc.constantFrom('Z', 'z', '', '+15:59', '-15:59', '+16:00', '-16:00', '+1500', '+15'),
  fc
    .tuple(fc.constantFrom('+', '-'), digits(2, 24), digits(2, 61))
    .map(([sign, hours, rest]) => `${sign}${hours}:${rest}`),
)
const fraction = fc.oneof(
  fc.constantFrom('', '.', '.9999999', '.999999999', '.0000001'),
  digits(1, 1_000_000_000).map((n) => `.${n}`),
)
const dateTime = fc
  .tuple(date, fc.constantFrom('T', 'T', 'T', 't', ' '), digits(2, 25), digits(2, 61), digits(2, 61), fraction, offset)
  .map(
    ([day, separator, hours, minutes, seconds, rest, zone]) =>
      `${day}${separator}${hours}:${minutes}:${seconds}${rest}${zone}`,
  )

/** The instant as PostgreSQL reads it, in milliseconds. */
async function readInstants(texts: string[]): Promise<number[]> {
  const { rows } = await owner.query(
    `select floor(extract(epoch from text::timestamptz) * 1000)::float8 as ms
     from unnest($1::text[]) with ordinality as input (text, n) order by n`,
    [texts],
  )
  return rows.map(({ ms }) => ms)
}

test('every valid timestamp is accepted by PostgreSQL and means the same as in JavaScript', async () => {
  const texts = fc.sample(dateTime, 15_000).filter(isDateTime)

  const instants = await readInstants(texts)

  assert.ok(texts.length > 300, `${texts.length} valid timestamps`)
  // PostgreSQL rounds to microseconds, JavaScript truncates to milliseconds.
  const different = texts.filter((text, n) => ![0, 1].includes(instants[n]! - Date.parse(text)))
  assert.deepEqual(different, [])
})

test('every valid date is accepted by PostgreSQL', async () => {
  const texts = fc.sample(date, 5_000).filter(isDate)

  const { rows } = await owner.query('select text::date::text as day from unnest($1::text[]) as input (text)', [texts])

  assert.ok(texts.length > 1_000, `${texts.length} valid dates`)
  assert.deepEqual(
    rows.map(({ day }) => day),
    texts,
  )
})

test('leap seconds, offsets of 16 hours and other texts than RFC 3339 are invalid', () => {
  for (const text of ['2026-03-01T09:30:00Z', '2026-03-01T09:30:00.123456789+15:59', '2024-02-29T23:59:59-15:59'])
    assert.ok(Value.Check(Instant, text), text)
  for (const text of [
    '2016-12-31T23:59:60Z',
    '2016-12-31T23:59:60.5Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T09:60:00Z',
    '2026-03-01T09:30:00+16:00',
    '2026-03-01T09:30:00-16:00',
    '2026-03-01T09:30:00+05:60',
    '2026-03-01T09:30:00+0530',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '2026-03-01t09:30:00z',
    '2026-03-01 09:30:00Z',
    '2026-03-01T09:30:00',
    '2026-03-01T09:30Z',
    '2026-03-01',
    'now',
    '',
    '2026-03-01T09:30:00Z[Europe/Berlin]',
    '2026-03-01T09:30:00Z\n',
    '+012026-03-01T09:30:00Z',
  ]) {
    assert.equal(isDateTime(text), false, text)
    assert.equal(Value.Check(Instant, text), false, text)
  }
})

test('days that do not exist are invalid', () => {
  assert.ok(Value.Check(CalendarDay, '2024-02-29'))
  for (const day of ['2026-02-29', '2026-04-31', '2026-00-01', '2026-01-00', '2026-1-1', '0000-01-01', '2026-03-01Z'])
    assert.equal(Value.Check(CalendarDay, day), false, day)
})

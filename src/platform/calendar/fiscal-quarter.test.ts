import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fiscalQuarterOf } from './fiscal-quarter.ts'

test('a fiscal quarter of a calendar year ends on the last day of its third month', () => {
  assert.deepEqual(fiscalQuarterOf('2026-02-15', 1), { start_on: '2026-01-01', end_on: '2026-03-31' })
  assert.deepEqual(fiscalQuarterOf('2026-12-31', 1), { start_on: '2026-10-01', end_on: '2026-12-31' })
})

test('a fiscal quarter may start in the previous calendar year', () => {
  assert.deepEqual(fiscalQuarterOf('2026-01-31', 12), { start_on: '2025-12-01', end_on: '2026-02-28' })
  assert.deepEqual(fiscalQuarterOf('2028-02-29', 12), { start_on: '2027-12-01', end_on: '2028-02-29' })
  assert.deepEqual(fiscalQuarterOf('2026-01-01', 2), { start_on: '2025-11-01', end_on: '2026-01-31' })
})

test('every day is inside its quarter, and quarters are three months long and aligned with the fiscal year', () => {
  const days = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })

  fc.assert(
    fc.property(days, fc.integer({ min: 1, max: 12 }), (date, startMonth) => {
      const day = date.toISOString().slice(0, 10)
      const { start_on, end_on } = fiscalQuarterOf(day, startMonth)
      assert.ok(start_on <= day && day <= end_on)
      assert.equal((Number(start_on.slice(5, 7)) - startMonth + 12) % 3, 0)
      const days = (Date.parse(end_on) - Date.parse(start_on)) / 86_400_000 + 1
      assert.ok(days >= 89 && days <= 92)
    }),
  )
})

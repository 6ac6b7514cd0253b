import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayAt } from './index.ts'

test('which day it is depends on the place', () => {
  const newYear = new Date('2026-12-31T23:30:00Z')

  assert.equal(dayAt(newYear, 'UTC'), '2026-12-31')
  assert.equal(dayAt(newYear, 'Europe/Berlin'), '2027-01-01')
  assert.equal(dayAt(newYear, 'America/Los_Angeles'), '2026-12-31')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysOver } from './days.ts'

test('an open deal is overdue from the day after its close date', () => {
  assert.equal(daysOver({ kind: 'open', close_on: '2026-11-12' }, '2026-11-19'), 7)
  assert.equal(daysOver({ kind: 'open', close_on: '2026-03-28' }, '2026-03-30'), 2)
  assert.equal(daysOver({ kind: 'open', close_on: '2026-11-19' }, '2026-11-19'), 0)
  assert.equal(daysOver({ kind: 'open', close_on: '2026-11-20' }, '2026-11-19'), 0)
  assert.equal(daysOver({ kind: 'won', close_on: '2026-11-12' }, '2026-11-19'), 0)
})

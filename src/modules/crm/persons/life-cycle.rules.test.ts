import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBackward, stageRank, stagesPassed, stageTimes } from './life-cycle.rules.ts'

const now = new Date('2026-03-01T00:00:00Z')
const never = { mql_at: null, sql_at: null, opportunity_at: null, customer_at: null }

test('stages have an order, and whoever was a customer stands where customers do', () => {
  assert.ok(stageRank('subscriber') < stageRank('lead') && stageRank('lead') < stageRank('evangelist'))
  assert.equal(stageRank('former_customer'), stageRank('customer'))
  assert.ok(isBackward('sql', 'lead') && !isBackward('lead', 'sql') && !isBackward('customer', 'former_customer'))
})

test('what is skipped is reached with the next stage, and nothing on the way back', () => {
  assert.deepEqual(stagesPassed('lead', 'opportunity'), ['mql', 'sql'])
  assert.deepEqual(stagesPassed('subscriber', 'mql'), ['lead'])
  assert.deepEqual(stagesPassed('sql', 'lead'), [])
  assert.deepEqual(stagesPassed(null, 'subscriber'), [])
  assert.deepEqual(stagesPassed(null, 'sql'), ['mql'])
})

test('only the first time a stage is reached is kept', () => {
  const before = new Date('2026-01-01T00:00:00Z')

  assert.deepEqual(stageTimes({ lifecycle_stage: 'lead', ...never }, 'sql', now), { mql_at: now, sql_at: now })
  assert.deepEqual(stageTimes({ lifecycle_stage: 'lead', ...never, mql_at: before }, 'sql', now), { sql_at: now })
  assert.deepEqual(stageTimes({ lifecycle_stage: 'sql', ...never }, 'lead', now), {})
  assert.deepEqual(stageTimes({ lifecycle_stage: 'customer', ...never }, 'evangelist', now), {})
})

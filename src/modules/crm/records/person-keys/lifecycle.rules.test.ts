import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deriveStageTimestamps, isBackward, skippedStages, stageRank } from './lifecycle.rules.ts'

const now = new Date('2026-03-01T00:00:00Z')
const never = { mql_at: null, sql_at: null, opportunity_at: null, customer_at: null }

test('stages are ordered, and a former customer ranks as a customer', () => {
  assert.ok(stageRank('subscriber') < stageRank('lead') && stageRank('lead') < stageRank('evangelist'))
  assert.equal(stageRank('former_customer'), stageRank('customer'))
  assert.ok(isBackward('sql', 'lead') && !isBackward('lead', 'sql') && !isBackward('customer', 'former_customer'))
})

test('a move forward includes skipped stages, a move back does not', () => {
  assert.deepEqual(skippedStages('lead', 'opportunity'), ['mql', 'sql'])
  assert.deepEqual(skippedStages('subscriber', 'mql'), ['lead'])
  assert.deepEqual(skippedStages('sql', 'lead'), [])
  assert.deepEqual(skippedStages(null, 'subscriber'), [])
  assert.deepEqual(skippedStages(null, 'sql'), ['mql'])
})

test('only the first timestamp of a stage is kept', () => {
  const before = new Date('2026-01-01T00:00:00Z')

  assert.deepEqual(deriveStageTimestamps({ lifecycle_stage: 'lead', ...never }, 'sql', now), {
    mql_at: now,
    sql_at: now,
  })
  assert.deepEqual(deriveStageTimestamps({ lifecycle_stage: 'lead', ...never, mql_at: before }, 'sql', now), {
    sql_at: now,
  })
  assert.deepEqual(deriveStageTimestamps({ lifecycle_stage: 'sql', ...never }, 'lead', now), {})
  assert.deepEqual(deriveStageTimestamps({ lifecycle_stage: 'customer', ...never }, 'evangelist', now), {})
})

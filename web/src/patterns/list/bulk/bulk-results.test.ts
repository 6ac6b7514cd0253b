import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BulkResult, changedIds, groupFailures } from './bulk-results.ts'

const outcome = (lead_id: string, message: string | null) =>
  ({ lead_id, outcome: message ? 'failed' : 'ok', code: message && 'forbidden', message }) as const

test('failures of a bulk action are grouped by reason, the most frequent first', () => {
  const result: BulkResult = {
    action: 'delete',
    total: 4,
    succeeded: 1,
    unchanged: 0,
    failed: 3,
    results: [
      outcome('a', 'Other reason.'),
      outcome('b', 'Not yours.'),
      outcome('c', null),
      outcome('d', 'Not yours.'),
    ],
  }

  assert.deepEqual(groupFailures(result), [
    { message: 'Not yours.', ids: ['b', 'd'] },
    { message: 'Other reason.', ids: ['a'] },
  ])
  assert.deepEqual(changedIds(result), ['c'])
})

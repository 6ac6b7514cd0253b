import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conflict, gone } from '#platform/errors'
import { toProblem } from './problem.ts'

test('a problem contains the additional fields of its error', () => {
  const expired = toProblem(gone('link_expired', 'This survey is closed.', { reason: 'closed' }), 'request-1')
  assert.partialDeepStrictEqual(expired, { status: 410, detail: 'This survey is closed.', reason: 'closed' })
  assert.ok(!('reason' in toProblem(gone('link_expired', 'This link has expired.'), 'request-1')))
  assert.equal(toProblem(conflict('conflict', 'Busy.', { from: 'a' }), 'request-1').status, 409)
})

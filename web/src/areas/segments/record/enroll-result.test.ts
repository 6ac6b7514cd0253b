import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeEnrollment, readEnrollment } from './enroll-result.ts'

test('the result names how many were added, and why others were not', () => {
  const describe = (enrolled: number, skipped: Record<string, number>) =>
    describeEnrollment({ enrolled, skipped }, 'Webinar', 'en')

  assert.equal(describe(1, {}), '1 person was added to Webinar.')
  assert.equal(
    describe(1_298, { opted_out: 4, already_member: 10, not_found: 0 }),
    '1,298 people were added to Webinar. 14 were skipped: 10 already there, 4 opted out.',
  )
  assert.equal(describe(0, { not_known: 1 }), 'No one was added to Webinar. 1 was skipped: 1 not known.')
})

test('a result without numbers is none', () => {
  assert.deepEqual(readEnrollment({ enrolled: 2, skipped: { a: 1 }, matched: 3 }), { enrolled: 2, skipped: { a: 1 } })
  assert.equal(readEnrollment(null), undefined)
  assert.equal(readEnrollment({ enrolled: null }), undefined)
})

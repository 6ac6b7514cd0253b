import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeAdded, describeChange, describeEnrolled } from './member-results.ts'
import { memberSearch, toMemberQuery } from './member-search.ts'

const sort = '-first_touched_at'

test('the filters of the address are those of the API', () => {
  const filters = memberSearch.filtersOf(
    memberSearch.parse({
      status: 'attended',
      responded: 'no',
      added: '2026-10-12..2026-10-18',
      respondedOn: '7d',
      q: 'roy',
    }),
    'all',
  )

  assert.deepEqual(toMemberQuery(filters, sort, '2026-11-19'), {
    status: 'attended',
    responded: false,
    added_from: '2026-10-12',
    added_to: '2026-10-18',
    responded_from: '2026-11-13',
    search: 'roy',
    sort,
  })
  assert.deepEqual(memberSearch.parse({ status: "x' or 1", responded: 'maybe', added: 'soon' }), {})
})

test('a change says how many people it changed and why others stayed', () => {
  assert.equal(
    describeChange({ updated: 2, unchanged: 1 }, 'Attended', String),
    '2 people are now Attended. 1 was before.',
  )
  assert.equal(
    describeChange({ removed: 1, failed_count: 2 }, undefined, String),
    '1 person was removed. 2 were not changed, because they were removed.',
  )
})

test('adding says who was added and who was skipped, by reason', () => {
  assert.equal(
    describeAdded({ added: 3, already_member: 1 }, String),
    '3 people were added. 1 was in the campaign already.',
  )
  assert.equal(
    describeEnrolled({ enrolled: 12, skipped: { already_member: 2, opted_out: 1, not_found: 0 } }, String),
    '12 people were added. 2 were in the campaign already. 1 have opted out.',
  )
  assert.equal(describeEnrolled({ enrolled: null, skipped: null }, String), '0 people were added.')
})

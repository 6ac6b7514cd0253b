import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeView, filtersOf, hasFigures, parseLeadSearch, viewOf, withFilter } from './lead-search.ts'
import { toLeadQuery, toListFilters } from './list-query.ts'

const today = '2026-03-02'

test('the list without parameters is the queue of the user', () => {
  const filters = filtersOf(parseLeadSearch({}), 'queue')

  assert.deepEqual(filters, { owner: 'me', status: 'open' })
  assert.deepEqual(toLeadQuery(filters, 'queue', today), {
    owner_id: 'me',
    status: ['new', 'contacted', 'working', 'nurturing', 'qualified'],
    sort: 'queue',
  })
})

test('parameters that the list does not know are left out', () => {
  const search = parseLeadSearch({
    owner: 'someone',
    status: 'new,unknown',
    grade: 'A,B',
    score: 'high',
    created: '2026-13',
    sort: 'phone',
    open: '../',
    tab: 'secrets',
    q: ' ',
  })

  assert.deepEqual(search, { grade: 'A,B' })
})

test('a filter that equals the one of the view is not in the URL, and a removed one is', () => {
  const removed = withFilter({}, 'queue', 'owner', undefined)
  const set = withFilter(removed, 'queue', 'owner', 'me')
  const added = withFilter({ view: 'all', grade: 'A' }, 'queue', 'grade', undefined)

  assert.deepEqual(removed, { owner: 'any' })
  assert.deepEqual(filtersOf(removed, 'queue'), { status: 'open' })
  assert.deepEqual(set, {})
  assert.deepEqual(added, { view: 'all' })
})

test('filters become the query of the API', () => {
  const { query, filter } = toListFilters(
    { owner: 'none', grade: 'A,B', source: 'webinar', score: '70-', created: '7d', response: 'late', q: 'keller' },
    today,
  )

  assert.deepEqual(query, {
    unassigned: true,
    grade: ['A', 'B'],
    source: ['webinar'],
    search: 'keller',
    score_min: 70,
    created_from: '2026-02-24',
  })
  assert.deepEqual(
    filter?.all.map(({ field }) => field),
    ['sla_breached_at', 'first_responded_at', 'status'],
  )
  assert.deepEqual(toListFilters({ created: '2026-01-01..2026-01-31', score: '-40' }, today).query, {
    created_from: '2026-01-01',
    created_to: '2026-01-31',
    score_max: 40,
  })
})

test('the same list has the same description, whichever view it starts from', () => {
  const one = describeView({ view: 'all', owner: 'me', status: 'open' }, 'queue')
  const other = describeView({ open: '01a1ec64-79c5-77d4-a252-899cb736abd3' }, 'queue')

  assert.equal(one, other)
  assert.notEqual(one, describeView({ sort: '-score' }, 'queue'))
})

test('the figures of an owner are shown with lists of all leads of the owner only', () => {
  assert.ok(hasFigures({ owner: 'me', status: 'open' }))
  assert.ok(hasFigures({ response: 'late' }))
  assert.deepEqual(
    [{ owner: 'none' }, { q: 'keller' }, { status: 'new' }, { owner: 'me', grade: 'A' }].map(hasFigures),
    [false, false, false, false],
  )
})

test('a view is recognized by its filters, whatever the order and the columns are', () => {
  assert.equal(viewOf(filtersOf({ sort: 'name', columns: 'name' }, 'queue')), 'queue')
  assert.equal(viewOf(filtersOf({ view: 'all', owner: 'none' }, 'queue')), 'unassigned')
  assert.equal(viewOf(filtersOf({ q: 'keller' }, 'queue')), undefined)
})

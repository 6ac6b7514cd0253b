import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedFields } from '../../../patterns/form/form-fields.ts'
import type { Campaign } from '../campaign-queries.ts'
import { fieldsOf, readFields } from './campaign-fields.ts'
import { findProblem, moveRow, toRows, toStatuses } from './member-statuses.ts'
import { buildUtmLink } from './utm-link.ts'

const campaign = {
  name: 'Webinar',
  type: 'webinar',
  description: null,
  start_on: '2026-10-09',
  end_on: null,
  budget: { amount: '6000.00', currency: 'EUR' },
  actual_cost: { amount: '5640.50', currency: 'USD' },
  expected_revenue: null,
  expected_responses: 60,
  owner_id: '0190a000-0000-7000-8000-000000000001',
  parent_campaign_id: null,
  source: 'webinar',
  utm_campaign: 'reviews_2026',
  tags: ['pipeline', 'autumn'],
} as unknown as Campaign

const typed = {
  name: 'Webinar',
  type: 'webinar',
  description: '',
  start_on: '2026-10-09',
  end_on: '',
  budget: '6000',
  budget_currency: 'EUR',
  actual_cost: '5,640.50',
  actual_cost_currency: 'usd',
  expected_revenue: '',
  expected_revenue_currency: 'EUR',
  expected_responses: '60',
  owner_id: '0190a000-0000-7000-8000-000000000001',
  parent_campaign_id: '',
  source: 'webinar',
  utm_campaign: 'reviews_2026',
  tags: 'pipeline, autumn',
}

const read = (changes: Partial<typeof typed>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries({ ...typed, ...changes })) data.set(name, value)
  return changedFields(fieldsOf(campaign), readFields(data, 'en'))
}

test('a form that was not changed sends nothing, and a changed field is sent alone', () => {
  assert.deepEqual(read({}), {})
  assert.deepEqual(read({ budget: '6,500' }), { budget: { amount: '6500', currency: 'EUR' } })
  assert.deepEqual(read({ budget: '' }), { budget: null })
  assert.deepEqual(read({ expected_responses: '', owner_id: '' }), { expected_responses: null, owner_id: null })
  assert.deepEqual(read({ tags: ' pipeline , , pipeline,new ' }), { tags: ['pipeline', 'new'] })
})

test('a text that is no amount is left to the server, which rejects it at its field', () => {
  assert.deepEqual(read({ budget: 'six' }), { budget: { amount: 'six', currency: 'EUR' } })
})

const statuses = [
  { key: 'invited', label: 'Invited', is_response: false },
  { key: 'attended', label: 'Attended', is_response: true },
]

test('statuses keep their keys when their labels change, and new ones get a key of their own', () => {
  const rows = toRows(statuses)
  const added = (label: string, id: number) => ({ id, key: null, label, isResponse: false })

  assert.deepEqual(toStatuses(rows), statuses)
  const changed = [
    { ...rows[0]!, label: 'Asked ' },
    rows[1]!,
    added('Attended', 2),
    added('Nachträglich! 2', 3),
    added('出席', 4),
  ]
  assert.deepEqual(
    toStatuses(changed).map(({ key, label }) => [key, label]),
    [
      ['invited', 'Asked'],
      ['attended', 'Attended'],
      ['attended_2', 'Attended'],
      ['nachtra_glich_2', 'Nachträglich! 2'],
      ['status', '出席'],
    ],
  )
  assert.equal(toStatuses([added('x'.repeat(100), 1)])[0]!.key.length, 37)
  assert.deepEqual(
    moveRow(rows, 0, 1).map(({ key }) => key),
    ['attended', 'invited'],
  )
  assert.deepEqual(moveRow(rows, 0, -1), rows)
})

test('statuses need names of their own and a response', () => {
  const [invited, attended] = toRows(statuses) as [ReturnType<typeof toRows>[0], ReturnType<typeof toRows>[0]]

  assert.equal(findProblem([invited, attended]), undefined)
  assert.match(findProblem([invited])!, /two/i)
  assert.match(findProblem([invited, { ...attended, isResponse: false }])!, /response/)
  assert.match(findProblem([invited, { ...attended, label: ' ' }])!, /name/)
  assert.match(findProblem([invited, { ...attended, label: 'INVITED' }])!, /same name/)
})

test('a link gets UTM values beside the ones it has', () => {
  const values = { utm_campaign: 'reviews 2026', utm_source: 'newsletter', utm_medium: '' }

  assert.equal(
    buildUtmLink(' https://example.com/webinar?lang=de&utm_medium=old#join ', values),
    'https://example.com/webinar?lang=de&utm_campaign=reviews+2026&utm_source=newsletter#join',
  )
  for (const text of ['', 'example.com', 'javascript:alert(1)', 'mailto:a@example.com'])
    assert.equal(buildUtmLink(text, values), undefined, text)
})

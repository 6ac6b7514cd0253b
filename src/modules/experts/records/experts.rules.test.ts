import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Candidate, chooseExpert, isAway, ratingAverage } from './experts.rules.ts'

const now = new Date('2030-03-06T12:00:00Z')
const request = { topic: 'pricing', requester_id: 'asker', declined_by: [] as string[] }
const candidate = (id: string, fields: Partial<Candidate> = {}): Candidate => ({
  id,
  user_id: `user-${id}`,
  topics: ['pricing'],
  timezone: 'UTC',
  max_open: 5,
  is_active: true,
  out_until_on: null,
  last_assigned_at: null,
  openCount: 0,
  isUserActive: true,
  ...fields,
})
const choose = (candidates: Candidate[], fields: object = {}) =>
  chooseExpert(candidates, { ...request, ...fields }, now)?.id

test('the lowest share of the load wins, then the longest time since the last assignment, then the id', () => {
  assert.equal(choose([candidate('a', { openCount: 1 }), candidate('b')]), 'b')
  assert.equal(choose([candidate('a', { openCount: 2, max_open: 3 }), candidate('b', { openCount: 3 })]), 'b')
  const earlier = { last_assigned_at: new Date('2030-03-01') }
  assert.equal(choose([candidate('a', { last_assigned_at: now }), candidate('b', earlier)]), 'b')
  assert.equal(choose([candidate('a', earlier), candidate('b')]), 'b')
  assert.equal(choose([candidate('b'), candidate('a')]), 'a')
})

test('inactive, absent, busy and declining experts, those on other topics and the requester are left out', () => {
  const excluded = [
    candidate('a', { is_active: false }),
    candidate('b', { isUserActive: false }),
    candidate('c', { out_until_on: '2030-03-06' }),
    candidate('d', { openCount: 5 }),
    candidate('e', { topics: ['security'] }),
    candidate('f', { user_id: 'asker' }),
    candidate('g', { user_id: 'decliner' }),
  ]
  assert.equal(choose(excluded, { declined_by: ['decliner'] }), undefined)
  assert.equal(choose([...excluded, candidate('h')], { declined_by: ['decliner'] }), 'h')
})

test('an absence lasts until the end of its last day in the time zone of the expert', () => {
  const expert = (timezone: string) => candidate('a', { out_until_on: '2030-03-06', timezone })
  const late = new Date('2030-03-06T23:00:00Z')
  assert.equal(isAway(expert('UTC'), late), true)
  assert.equal(isAway(expert('Europe/Berlin'), late), false)
})

test('the average of ratings has two decimals', () => {
  assert.equal(ratingAverage({ rating_sum: 13, rating_count: 3 }), 4.33)
  assert.equal(ratingAverage({ rating_sum: 0, rating_count: 0 }), null)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAlternatives, nearestNames, suggestNames } from './nearest-names.ts'

const leadFields = ['email', 'first_name', 'last_name', 'company', 'job_title', 'owner_id', 'annual_revenue']

test('a typo suggests the field that was meant', () => {
  assert.deepEqual(nearestNames('emial', leadFields), ['email'])
  assert.deepEqual(nearestNames('compny', leadFields), ['company'])
  assert.deepEqual(nearestNames('nmae', ['name', 'color']), ['name'])
})

test('another spelling of the same name suggests only that field', () => {
  assert.deepEqual(nearestNames('firstName', leadFields), ['first_name'])
  assert.deepEqual(nearestNames('Owner-Id', leadFields), ['owner_id'])
})

test('a shared word suggests every field that has it', () => {
  assert.deepEqual(nearestNames('name', leadFields), ['first_name', 'last_name'])
  assert.deepEqual(nearestNames('company_name', leadFields), ['company'])
  assert.deepEqual(nearestNames('revenue', leadFields), ['annual_revenue'])
})

test('a name without similarity suggests nothing', () => {
  assert.deepEqual(nearestNames('shoe_size', leadFields), [])
  assert.deepEqual(nearestNames('x', ['y']), [])
  assert.deepEqual(nearestNames('anything', []), [])
})

test('at most three names are suggested', () => {
  assert.equal(nearestNames('name', ['a_name', 'b_name', 'c_name', 'd_name']).length, 3)
})

test('alternatives are listed in a sentence', () => {
  assert.equal(listAlternatives(['a']), '`a`')
  assert.equal(listAlternatives(['a', 'b', 'c']), '`a`, `b` or `c`')
})

test('the name of a parameter in other APIs suggests the one that is meant', () => {
  const parameters = ['limit', 'offset', 'cursor', 'search', 'status', 'sort', 'filter']

  assert.equal(suggestNames('q', parameters), ' Did you mean `search`?')
  assert.equal(suggestNames('orderBy', parameters), ' Did you mean `sort`?')
  assert.equal(suggestNames('per_page', parameters), ' Did you mean `limit`?')
  assert.equal(suggestNames('stauts', parameters), ' Did you mean `status`?')
  assert.equal(suggestNames('q', ['limit']), '')
  assert.equal(suggestNames('tier', ['title', 'custom.tier']), ' Did you mean `custom.tier`?')
})

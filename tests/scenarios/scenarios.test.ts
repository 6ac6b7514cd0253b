import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findClaims, idIn, inWords, scenarioIds } from './claims.ts'
import { problemsOf } from './run-claims.ts'

const file = 'src/some.test.ts'
const passed = (name: string) => ({ name, file, hasPassed: true, why: '' })

test('a claim whose tests all pass is no problem', () => {
  const claims = [{ id: 'crm-1-1', file }]

  assert.deepEqual(problemsOf(claims, [passed('crm-1-1 one way'), passed('crm-1-1 another way')]), [])
})

test('a claim that fails, does not run or names nothing is a problem', () => {
  const claims = ['crm-1-1', 'crm-1-2', 'crm-1-999'].map((id) => ({ id, file }))
  const failed = { name: 'crm-1-1 another way', file, hasPassed: false, why: 'it did not' }

  const problems = problemsOf(claims, [passed('crm-1-1 one way'), failed, passed('crm-1-999 something')])

  assert.deepEqual(problems, [
    'crm-1-999 in src/some.test.ts: there is no such scenario',
    'crm-1-2 in src/some.test.ts: did not run',
    'crm-1-1 another way (src/some.test.ts): it did not',
  ])
})

test('an id is read whole, and only at the beginning of a name', () => {
  assert.equal(idIn('crm-1-12 a lead'), 'crm-1-12')
  assert.equal(idIn('a lead of crm-1-12'), undefined)
  assert.equal(idIn('utf-8-1 is no scenario'), undefined)
})

test('numbers are told in few words', () => {
  assert.equal(inWords([7, 1, 3, 2]), '1-3, 7')
  assert.equal(inWords([]), '')
})

test('every claim in the test files names a scenario', () => {
  const unknown = findClaims().filter(({ id }) => !scenarioIds.includes(id))

  assert.equal(scenarioIds.length, 402)
  assert.deepEqual(unknown, [])
})

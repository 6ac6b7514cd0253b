import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUnknownPerson, noValues, toSimilarSearch } from './contact-values.ts'

test('a contact needs an email address, a phone number or a last name', () => {
  assert.ok(isUnknownPerson({ ...noValues, first_name: 'Sofia', email: ' ' }))
  for (const field of ['email', 'phone', 'last_name']) assert.ok(!isUnknownPerson({ ...noValues, [field]: 'x' }), field)
})

test('similar contacts are searched by email address, otherwise by the whole name', () => {
  const name = { ...noValues, first_name: 'Sofia ', last_name: ' Rossi' }

  assert.equal(toSimilarSearch({ ...name, email: 'sofia@northgate.example' }), 'sofia@northgate.example')
  assert.equal(toSimilarSearch({ ...name, email: 'sofia' }), 'Sofia Rossi')
  assert.equal(toSimilarSearch({ ...name, last_name: '' }), '')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messagesByField, withLabel } from './field-messages.ts'
import { ApiProblem } from './problem.ts'

const messageOf = (code: string, message: string, label: string, path = '/field_of_api') => {
  const messages = messagesByField(new ApiProblem(422, { errors: [{ in: 'body', path, code, message }] }))
  return withLabel(Object.values(messages)[0]!, label)
}

test('a message names the field by its label and never by its name in the API', () => {
  assert.equal(
    messageOf('minimum', '`employee_count` must be at least 0.', 'Employees'),
    'Employees must be 0 or more.',
  )
  assert.equal(
    messageOf('maxLength', '`custom.tier` must have at most 40 characters.', 'Tier', '/custom/tier'),
    'Tier is too long. Use at most 40 characters.',
  )
  assert.equal(
    messageOf('format', '`email` must be a valid email address.', 'Email'),
    'Email must be a valid email address.',
  )
  assert.equal(
    messageOf('dependentRequired', '`close_on` is required if `stage_key` is set.', 'Closes on'),
    'Closes on is required if stage key is set.',
  )
  assert.equal(messageOf('maximum', '`expires_at` must be within 40 days.', 'Expiry'), 'Expiry must be within 40 days.')
  assert.equal(messageOf('other', 'The price $& is too high.', 'Price'), 'The price $& is too high.')
})

test('the messages of nested fields have the path of the field', () => {
  const errors = [{ in: 'body', path: '/amount/currency', code: 'required', message: '`amount.currency` is required.' }]

  assert.deepEqual(messagesByField(new ApiProblem(422, { errors })), {
    'amount.currency': '`amount.currency` is required.',
  })
})

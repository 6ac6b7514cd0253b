import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedFields, hasOtherChanges } from './form-fields.ts'

const seen = { name: 'Acme', timezone: 'UTC', phone: null }

test('only a field that the user changed is sent, and an empty one equals a missing one', () => {
  assert.deepEqual(changedFields(seen, { name: 'Acme Engines', timezone: 'UTC', phone: undefined }), {
    name: 'Acme Engines',
  })
})

test('a form says that it was merged only if another user changed one of its other fields', () => {
  const changes = { name: 'Acme Engines' }

  assert.equal(hasOtherChanges(seen, changes, { ...seen, name: 'ACME ENGINES' }), false)
  assert.equal(hasOtherChanges(seen, changes, { ...seen, ...changes, timezone: 'Europe/Berlin' }), true)
})

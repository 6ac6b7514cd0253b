import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIntent } from './intent.ts'

test('a request that is repeated has the key of the first one until it succeeds or its values change', () => {
  const intent = createIntent()
  const first = intent.keyOf({ name: 'Engines', amount: null })
  const repeated = intent.keyOf({ name: 'Engines', amount: null })
  const changed = intent.keyOf({ name: 'Wheels', amount: null })
  intent.end()
  const next = intent.keyOf({ name: 'Wheels', amount: null })

  assert.equal(repeated, first)
  assert.equal(new Set([first, changed, next]).size, 3)
})

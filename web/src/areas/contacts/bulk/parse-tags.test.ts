import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTags } from './parse-tags.ts'

test('tags are separated by commas, each once and without blanks around', () => {
  assert.deepEqual(parseTags(' trade fair, north,, trade fair ,'), ['trade fair', 'north'])
  assert.deepEqual(parseTags(' , '), [])
})

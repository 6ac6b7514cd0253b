import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trimEndOf, trimStartOf } from './index.ts'

test('characters are removed from one side only', () => {
  assert.equal(trimStartOf('//a/b//', /\//), 'a/b//')
  assert.equal(trimEndOf('//a/b//', /\//), '//a/b')
  assert.equal(trimEndOf('a. \t.', /[.\s]/), 'a')
  assert.deepEqual([trimStartOf('...', /\./), trimEndOf('...', /\./), trimEndOf('', /a/)], ['', '', ''])
})

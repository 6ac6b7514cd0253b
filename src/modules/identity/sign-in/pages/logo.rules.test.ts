import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertCheapText } from '#testing'
import { findLogoType } from './logo.rules.ts'

test('a logo is an image by its content', () => {
  assert.equal(findLogoType(Buffer.from('<!-- logo --><svg viewBox="0 0 1 1"/>')), 'image/svg+xml')
  assert.equal(findLogoType(Buffer.from('\x89PNG\r\n', 'latin1')), 'image/png')
  assert.equal(findLogoType(Buffer.from('<html><svg>')), undefined)
})

test('a file of comments is not a logo, and takes no longer than others', () => {
  assertCheapText(
    (text) => assert.equal(findLogoType(Buffer.from(text)), undefined),
    (length) => '<!---->'.repeat(length / 7),
    { maxLength: 4_100 },
  )
})

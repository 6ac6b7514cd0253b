import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isKeyText, keyHints, newKeyText, withChecksum } from './key-text.rules.ts'

const body = 'svc_live_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6'

test('a key ends with a checksum over everything before it', () => {
  assert.equal(withChecksum(body), `${body}2zs2zn`)
  assert.equal(isKeyText(`${body}2zs2zn`), true)
})

test('new keys are well formed and never the same', () => {
  const keys = Array.from({ length: 200 }, newKeyText)

  assert.ok(keys.every((key) => /^svc_live_[0-9A-Za-z]{38}$/.test(key) && isKeyText(key)))
  assert.equal(new Set(keys).size, 200)
})

test('a typo anywhere is noticed without asking anybody', () => {
  const key = newKeyText()

  for (let place = 0; place < key.length; place++) {
    const other = key[place] === 'x' ? 'y' : 'x'
    assert.equal(isKeyText(key.slice(0, place) + other + key.slice(place + 1)), false, `place ${place}`)
  }
  for (const text of ['', 'svc_live_', key.slice(0, -1), `${key}0`, ` ${key}`, key.replace('live', 'test')])
    assert.equal(isKeyText(text), false)
})

test('what may be shown of a key does not give it away', () => {
  const key = `${body}2zs2zn`

  assert.deepEqual(keyHints(key), { key_prefix: 'svc_live_A1b2C3', last_four: 's2zn' })
})

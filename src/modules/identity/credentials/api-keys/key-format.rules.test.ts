import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateKey, isWellFormedKey, keyHints, withChecksum } from './key-format.rules.ts'

const body = 'svc_live_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6'

test('a key ends with a checksum of the rest', () => {
  assert.equal(withChecksum(body), `${body}2zs2zn`)
  assert.equal(isWellFormedKey(`${body}2zs2zn`), true)
})

test('generated keys are well formed and unique', () => {
  const keys = Array.from({ length: 200 }, generateKey)

  assert.ok(keys.every((key) => /^svc_live_[0-9A-Za-z]{38}$/.test(key) && isWellFormedKey(key)))
  assert.equal(new Set(keys).size, 200)
})

test('a typo anywhere is detected by the checksum', () => {
  const key = generateKey()

  for (let place = 0; place < key.length; place++) {
    const other = key[place] === 'x' ? 'y' : 'x'
    assert.equal(isWellFormedKey(key.slice(0, place) + other + key.slice(place + 1)), false, `place ${place}`)
  }
  for (const text of ['', 'svc_live_', key.slice(0, -1), `${key}0`, ` ${key}`, key.replace('live', 'test')])
    assert.equal(isWellFormedKey(text), false)
})

test('the key hints do not reveal the key', () => {
  const key = `${body}2zs2zn`

  assert.deepEqual(keyHints(key), { key_prefix: 'svc_live_A1b2C3', last_four: 's2zn' })
})

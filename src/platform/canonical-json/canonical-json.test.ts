import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from './index.ts'

test('equal values have equal text, whatever the order of their members', () => {
  const one = { b: 1, a: { d: [1, { y: null, x: 'ü' }], c: true } }
  const other = { a: { c: true, d: [1, { x: 'ü', y: null }] }, b: 1.0, z: undefined }

  assert.equal(canonicalJson(one), '{"a":{"c":true,"d":[1,{"x":"ü","y":null}]},"b":1}')
  assert.equal(canonicalJson(other), canonicalJson(one))
})

test('canonical JSON parses to the same value and differs for different values', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
      assert.deepEqual(JSON.parse(canonicalJson(one)), plain(one))
      const areEqual = isDeepEqual(plain(one), plain(other))
      assert.equal(canonicalJson(one) === canonicalJson(other), areEqual)
    }),
  )
})

test('undefined is serialized as null', () => {
  assert.equal(canonicalJson(undefined), 'null')
  assert.equal(canonicalJson([undefined, null]), '[null,null]')
})

function isDeepEqual(one: unknown, other: unknown): boolean {
  try {
    assert.deepEqual(one, other)
    return true
  } catch {
    return false
  }
}

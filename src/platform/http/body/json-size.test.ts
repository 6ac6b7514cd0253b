import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type JsonSize, measureJson } from './json-size.ts'

const unlimited = { values: Infinity, keys: Infinity, depth: Infinity }
const measure = (json: string, limits: Partial<JsonSize> = {}) =>
  measureJson(Buffer.from(json), { ...unlimited, ...limits })

/** Counts the same on the parsed value. */
function sizeOf(value: unknown): JsonSize {
  if (typeof value !== 'object' || value === null) return { values: 1, keys: 0, depth: 0 }
  const items = Object.values(value)
  const sizes = items.map(sizeOf)
  const sum = (name: 'values' | 'keys') => sizes.reduce((total, size) => total + size[name], 0)
  return {
    values: 1 + sum('values'),
    keys: (Array.isArray(value) ? 0 : items.length) + sum('keys'),
    depth: 1 + Math.max(0, ...sizes.map(({ depth }) => depth)),
  }
}

test('values, keys and levels of any JSON text are counted as in the parsed value', () => {
  const whitespace = fc.constantFrom(undefined, 1, '\t', ' \r\n')
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), whitespace, (value, indent) => {
      const json = JSON.stringify(value, null, indent)

      assert.deepEqual(measure(json), sizeOf(JSON.parse(json)))
    }),
    { numRuns: 1_000 },
  )
})

test('brackets, quotes, colons and commas inside strings are not counted', () => {
  assert.deepEqual(measure(String.raw`{"a,:[{\"":"]}\\","\\":[",","[\"]"]}`), { values: 5, keys: 2, depth: 2 })
})

test('empty containers have no values', () => {
  assert.deepEqual(measure('[ ]'), { values: 1, keys: 0, depth: 1 })
  assert.deepEqual(measure('{"a":{\n},"b":[[],[]]}'), { values: 5, keys: 2, depth: 3 })
})

test('duplicate keys are counted, although the parser keeps only the last', () => {
  assert.deepEqual(measure('{"a":1,"a":2,"a":3}'), { values: 4, keys: 3, depth: 1 })
})

test('measuring stops at the first exceeded limit', () => {
  const zeros = `[${'0,'.repeat(100_000)}0]`

  assert.equal(measure(zeros, { values: 10 }).values, 11)
  assert.equal(measure(`{${'"a":0,'.repeat(100_000)}"a":0}`, { keys: 10 }).keys, 11)
  assert.equal(measure('['.repeat(100_000), { depth: 10 }).depth, 11)
})

test('a text that is not JSON is measured without an error', () => {
  for (const text of ['', '"', '"\\', ']]]', '{{{', ',', 'nul', '"a" "b"']) measure(text)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppError } from '#platform/errors'
import { cleanInput } from '../validation/validation.ts'

function problemOf(json: string): unknown {
  try {
    cleanInput(JSON.parse(json), 'body')
  } catch (error) {
    return (error as AppError).extra.errors
  }
  return undefined
}

test('strings are trimmed at every level, except passwords', () => {
  const input = { name: ' a ', new_password: ' b ', tags: [' c ', [' d ']], meta: { x: { password: ' e ', f: ' g' } } }

  const cleaned = cleanInput(input, 'body')

  assert.deepEqual(cleaned, {
    name: 'a',
    new_password: ' b ',
    tags: ['c', ['d']],
    meta: { x: { password: ' e ', f: 'g' } },
  })
  assert.equal(cleaned, input)
})

test('null characters and lone surrogates are rejected in values, with their location', () => {
  assert.deepEqual(problemOf(String.raw`{"a/b":[{"c":"\u0000"}]}`), [
    {
      in: 'body',
      path: '/a~1b/0/c',
      code: 'characters',
      message: '`a/b[0].c` must not contain null characters or incomplete surrogate pairs.',
    },
  ])
  assert.ok(problemOf(String.raw`"\ud800"`))
  assert.ok(problemOf(String.raw`["\udc00\ud800"]`))
  assert.equal(problemOf(String.raw`["\ud83d\ude00"]`), undefined)
})

test('null characters and lone surrogates are rejected in names of fields', () => {
  const message = 'must not have a field name with null characters or incomplete surrogate pairs.'

  assert.deepEqual(problemOf(String.raw`{"meta":{"a\u0000b":1}}`), [
    { in: 'body', path: '/meta', code: 'characters', message: `\`meta\` ${message}` },
  ])
  assert.deepEqual(problemOf(String.raw`{"\ud800":1}`), [
    { in: 'body', path: '', code: 'characters', message: `The body ${message}` },
  ])
})

test('numbers beyond the range of a double are rejected', () => {
  assert.deepEqual(problemOf('{"meta":{"big":-1e400}}'), [
    { in: 'body', path: '/meta/big', code: 'range', message: '`meta.big` is too large for a number.' },
  ])
  assert.equal(problemOf('[1e308,-0,5e-324,1e-400]'), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type } from 'typebox'
import { addFormats, CalendarDay, clearable, Email, Id, Instant, Line, nullable, strict } from '#platform/schema'
import { toInputErrors } from './validation-messages.ts'

const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false })
addFormats(ajv)

function messagesFor(schema: object, value: unknown, where: 'body' | 'query' = 'body'): string[] {
  const validate = ajv.compile(schema)
  assert.equal(validate(value), false)
  return toInputErrors(where, validate.errors ?? []).map(({ message }) => message)
}

const messageFor = (schema: object, value: unknown) => messagesFor(strict({ x: schema as never }), { x: value })[0]

test('a missing and an unknown field are named', () => {
  const lead = strict({ email: Email, first_name: clearable(Line(80)), last_name: clearable(Line(80)) })

  assert.deepEqual(messagesFor(lead, { name: 'Ada' }), [
    '`email` is required.',
    '`name` is not a known field. Did you mean `first_name` or `last_name`?',
  ])
  assert.deepEqual(messagesFor(strict({}), { color: 'red' }, 'query'), ['`color` is not a known query parameter.'])
})

test('formats are described in words, once per value', () => {
  assert.deepEqual(messagesFor(strict({ id: Id }), { id: '42' }), ['`id` must be a UUID.'])
  assert.equal(messageFor(Email, 'not an address'), '`x` must be a valid email address.')
  assert.equal(messageFor(Instant, 'now'), '`x` must be a date and time such as 2026-03-01T09:30:00Z.')
  assert.equal(messageFor(CalendarDay, '01.03.2026'), '`x` must be a date such as 2026-03-01.')
})

test('a pattern is described in words', () => {
  assert.equal(
    messageFor(Type.String({ pattern: '^[A-Z]{3}$' }), 'euro'),
    '`x` must be a three-letter currency code such as EUR.',
  )
  assert.equal(messageFor(Type.String({ pattern: '^(me|[0-9a-f]{8})$' }), 'you'), '`x` must be a UUID or `me`.')
  assert.equal(messageFor(Type.String({ pattern: '^unheard of$' }), 'x'), '`x` has an invalid format.')
})

test('limits are described with their numbers', () => {
  assert.equal(messageFor(Type.Integer({ maximum: 200 }), 201), '`x` must be at most 200.')
  assert.equal(messageFor(Type.Integer({ minimum: 1 }), 0), '`x` must be at least 1.')
  assert.equal(messageFor(Type.Number({ exclusiveMinimum: 0 }), 0), '`x` must be greater than 0.')
  assert.equal(messageFor(Line(80), ''), '`x` must not be empty.')
  assert.equal(messageFor(Type.String({ minLength: 12 }), 'short'), '`x` must have at least 12 characters.')
  assert.equal(messageFor(Line(3), 'long'), '`x` must have at most 3 characters.')
  assert.equal(messageFor(Type.Array(Type.String(), { minItems: 1 }), []), '`x` must not be empty.')
  assert.equal(messageFor(Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b']), '`x` must have at most 1 item.')
  assert.equal(
    messageFor(Type.Array(Type.String(), { uniqueItems: true }), ['a', 'a']),
    '`x` must not contain duplicates.',
  )
})

test('types, enums and constants list what is allowed', () => {
  assert.equal(messageFor(Type.Boolean(), 'yes'), '`x` must be true or false.')
  assert.equal(messageFor(nullable(Type.Integer()), 'many'), '`x` must be an integer or null.')
  assert.equal(messageFor(Type.Enum(['new', 'open']), 'old'), '`x` must be one of: new, open.')
  assert.equal(messageFor(Type.Literal(true), false), '`x` must be true.')
})

test('a long enum names the page that lists its values and suggests the nearest one', () => {
  const scopes = Type.Enum(['leads.read', ...Array.from({ length: 30 }, (_, index) => `scope_${index}`)])

  const message = '`x` must be one of the 31 values in the API reference (/reference).'
  assert.equal(messageFor(scopes, 'lead.read'), `${message} Did you mean \`leads.read\`?`)
  assert.equal(messageFor(scopes, 'nothing like it'), message)
})

test('a nested field is named by its path, and the whole body as such', () => {
  const stages = strict({ stages: Type.Array(strict({ key: Line(40) })) })

  assert.deepEqual(messagesFor(stages, { stages: [{ key: 'a' }, { key: 7 }] }), ['`stages[1].key` must be a string.'])
  assert.deepEqual(messagesFor(stages, []), ['The body must be an object.'])
})

test('entries keep the pointer and the keyword', () => {
  const validate = ajv.compile(strict({ id: Id }))
  validate({ id: '42' })

  assert.deepEqual(toInputErrors('path', validate.errors ?? []), [
    { in: 'path', path: '/id', code: 'format', message: '`id` must be a UUID.' },
  ])
})

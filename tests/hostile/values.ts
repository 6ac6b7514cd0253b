import { type Schema, typeOf } from './json-schema.ts'
import type { Position } from './positions.ts'

/** Marks a number that JavaScript cannot hold. */
const literal = (text: string) => `@@${text}@@`

/** Replaces the marked numbers in a JSON text. */
export const insertLiterals = (json: string) => json.replace(/"@@(.*?)@@"/g, '$1')

const texts = [
  'a\0b',
  '\ud800',
  'x'.repeat(70_000),
  '-1',
  'NaN',
  '1e308',
  '%ff',
  '__proto__',
  '$1',
  '\\',
  "'; drop table crm.leads; --",
  '<script>alert(1)</script>',
  '{{constructor}}',
  '🧑‍🤝‍🧑🏽',
  '\u202eabc\u2066',
  'İ\u0345ﬃ',
  '',
  ' ',
  '\r\nBcc: x@engines.example',
  '\ufffe\uffff',
]
const numbers = [
  -1,
  0,
  1.5,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  -(2 ** 53),
  1e308,
  5e-324,
  'NaN',
  '1',
  '',
  true,
  literal('1e400'),
  literal('-0'),
  literal('9223372036854775808'),
]
const instants = [
  '2016-12-31T23:59:60Z',
  '2026-06-30T23:59:60.5+02:00',
  '2026-01-01T00:00:00+16:00',
  '2026-01-01T00:00:00-15:59',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '10000-01-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '1900-01-01T00:00:00+14:00',
  '2199-12-31T23:59:59-12:00',
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:00',
  'infinity',
  'now',
  '2026-01-01T00:00:00Z\0',
  1767225600,
]
const days = [
  '0000-00-00',
  '0001-01-01',
  '1900-01-01',
  '1969-12-31',
  '2026-02-30',
  '2199-12-31',
  '9999-12-31',
  '10000-01-01',
  '-2026-01-01',
  '2026-1-1',
  'infinity',
  'today',
  '2026-01-01T00:00:00Z',
  '2026-01-01\0',
  20260101,
]
const ids = [
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '-'.repeat(36),
  'me',
  'none',
  '01890000-0000-7000-8000-00000000000',
  '{01890000-0000-7000-8000-000000000000}',
  '01890000000070008000000000000000',
  '01890000-0000-7000-8000-0000000000\0',
  "' or 1=1 --",
  '',
  '../users',
  1,
]
const emailAddresses = [
  'a@b',
  'a\0@engines.example',
  '"<script>"@engines.example',
  'İ@engines.example',
  'a@engines.example\r\nBcc: b@c.example',
  `${'a'.repeat(300)}@engines.example`,
  'a@[127.0.0.1]',
  'a@xn--\ud800',
  "a'--@engines.example",
  '@',
  'ü@exämple.de',
  'a@b@c.de',
]
const urls = [
  'javascript:alert(1)',
  'http://[::1',
  'http://user:secret@169.254.169.254/',
  'file:///etc/passwd',
  'https://exämple.de/\0',
  `https://engines.example/${'x'.repeat(5_000)}`,
  'https://%00/',
  'data:text/html,x',
  '//engines.example',
  'https://engines.example:99999/',
  'https://engines.example/\ud800',
  'https://0x7f.1/',
]
const keys = [
  '\0',
  'a\0b',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  '',
  'x'.repeat(10_000),
  'a.b',
  '$ref',
  '%ff',
  '🧑🏽',
  "'; drop table crm.leads; --",
  '\u202eabc',
]
/** Only what an HTTP client can send: no control characters, and bytes instead of characters. */
const headers = [
  '',
  '""',
  '"-1"',
  '"2147483648"',
  '"9007199254740993"',
  '"1e308"',
  '"NaN"',
  'W/"1"',
  '"1", "2"',
  '*, "1"',
  '"\u00ff"',
  '__proto__',
  "'; drop table crm.leads; --",
  '<script>',
  'x'.repeat(300),
  '\t',
  'Bearer',
  'Bearer a.b.c',
  'ApiKey \u00ff',
]
const pathSegments = [
  '%ff',
  '%00',
  '%ED%A0%80',
  'x'.repeat(501),
  '..%2f..%2fusers',
  '%25ff',
  "'%20or%201=1%20--",
  '%F0%9F%A7%91',
]

/** Returns at least ten hostile values. Values of a path are percent-encoded. */
export function hostileValues({ part, name, schema, isKey }: Position, cursor: string | undefined): unknown[] {
  if (isKey) return keys
  if (typeOf(schema) === 'object') return rules
  if (part === 'header') return headers
  if (part === 'path') return [...pathSegments, ...ids.map((id) => encodeURIComponent(id)).filter(Boolean)]
  if (part === 'query' && name === 'cursor') return tamperedCursors(cursor)
  if (part === 'query' && name === 'filter') return [...texts, ...rules.map((rule) => JSON.stringify(rule))]
  return [...valuesOfType(schema), ...boundsOf(schema)]
}

const valuesOfFormat: Record<string, unknown[]> = {
  uuid: ids,
  email: emailAddresses,
  uri: urls,
  date: days,
  'date-time': instants,
}

function valuesOfType(schema: Schema): unknown[] {
  const type = typeOf(schema)
  if (type === 'integer' || type === 'number') return numbers
  if (type === undefined) return [...texts, ...numbers, ...instants]
  return [...(valuesOfFormat[schema.format ?? ''] ?? texts), 0, null]
}

function boundsOf({ minimum, maximum, maxLength }: Schema): unknown[] {
  const bounds = [minimum, minimum && minimum - 1, maximum, maximum && maximum + 1]
  const lengths = maxLength && maxLength <= 20_000 ? ['x', '€', '🧑'].map((letter) => letter.repeat(maxLength)) : []
  return [...bounds.filter((bound) => bound !== undefined), ...lengths]
}

/** Rules of the rule language, the only objects whose fields the OpenAPI document does not declare. */
const rules = [
  ...['a\0b', '\ud800', '%', '\\', 'x'.repeat(1_000)].map((value) => ({
    field: 'tags',
    op: 'contains_any',
    value: [value],
  })),
  ...['a\0b', '\ud800', "%'_\\"].map((value) => ({ field: 'last_name', op: 'contains', value })),
  ...[1e308, -(2 ** 53), 2 ** 31, 0.1, '1'].map((value) => ({ field: 'score', op: 'gt', value })),
  ...instants.map((value) => ({ field: 'created_at', op: 'after', value })),
  ...days.map((value) => ({ field: 'created_at', op: 'between', value: [value, '2030-01-01'] })),
  ...[2 ** 31, -1, 1e9].map((value) => ({ field: 'created_at', op: 'in_last_days', value })),
  ...['__proto__', 'constructor', 'custom.__proto__', 'custom.a\0b', ''].map((field) => ({
    field,
    op: 'eq',
    value: 'x',
  })),
]

function tamperedCursors(cursor: string | undefined): string[] {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '').toString('base64url')
  const id = '01890000-0000-7000-8000-000000000000'
  const generic = [
    null,
    1,
    {},
    [],
    ['a\0b', id],
    ['\ud800', id],
    [1e308, id],
    ['2016-12-31T23:59:60Z', id],
    [id],
    [[], id],
  ]
  const key: unknown = cursor ? JSON.parse(Buffer.from(cursor, 'base64url').toString()) : undefined
  const tampered = replaceLeaves(key, [
    'a\0b',
    '\ud800',
    -9e15,
    9e15,
    1e308,
    null,
    '0000-01-01',
    '+275760-09-13T00:00:00.000Z',
    id,
  ])
  return ['%ff', '\0', 'x'.repeat(1_001), 'bm90IGpzb24', ...[...generic, ...tampered].map(encode)]
}

/** Returns copies of the value with one leaf replaced. */
function replaceLeaves(value: unknown, replacements: unknown[]): unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) return replacements
  return value.flatMap((item, index) => replaceLeaves(item, replacements).map((changed) => value.with(index, changed)))
}

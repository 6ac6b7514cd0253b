import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { assertCheapText } from '#testing'
import type { CustomFieldType, FieldValidation } from './custom-values.schemas.ts'
import { compilePattern, matchesPattern } from './field-pattern.rules.ts'
import { parseFieldValue } from './field-value.rules.ts'
import { measurePattern } from './pattern-size.rules.ts'

const today = { now: new Date('2026-03-10T12:00:00.000Z'), day: '2026-03-10' }

function parse(type: CustomFieldType, value: unknown, validation: FieldValidation = {}) {
  const options = ['red', 'green', 'old'].map((key) => ({ key, label: key, color: null, is_active: key !== 'old' }))
  const hasOptions = type === 'select' || type === 'multi_select'
  const field = { key: 'f', label: 'F', type, options: hasOptions ? options : [], validation }
  const parsed = parseFieldValue(field, value, today)
  return 'problem' in parsed ? `! ${parsed.problem.code}` : parsed.value
}

test('every type has its bounds', () => {
  const cases: [CustomFieldType, unknown, FieldValidation, unknown][] = [
    ['text', 'x'.repeat(1_000), {}, 'x'.repeat(1_000)],
    ['text', 'x'.repeat(1_001), {}, '! maxLength'],
    ['text', '', {}, '! minLength'],
    ['text', 'ab', { min_length: 3 }, '! minLength'],
    ['text', 'abcd', { max_length: 3 }, '! maxLength'],
    ['text', 'AB-1', { pattern: '^[A-Z]{2}-\\d$' }, 'AB-1'],
    ['text', 'AB-x', { pattern: '^[A-Z]{2}-\\d$' }, '! pattern'],
    ['text', 5, {}, '! type'],
    ['long_text', 'x'.repeat(20_000), {}, 'x'.repeat(20_000)],
    ['long_text', 'x'.repeat(20_001), {}, '! maxLength'],
    ['number', 123456789012345, {}, 123456789012345],
    ['number', 1234567890.123456, {}, '! digits'],
    ['number', 0.1234567, {}, '! decimals'],
    ['number', -0.25, { decimals: 2 }, -0.25],
    ['number', 1e-7, { decimals: 6 }, '! decimals'],
    ['number', 10, { min: 1, max: 9 }, '! maximum'],
    ['number', 0, { min: 1 }, '! minimum'],
    ['boolean', false, {}, false],
    ['boolean', 'true', {}, '! type'],
    ['date', '2026-03-01', {}, '2026-03-01'],
    ['date', '2026-02-30', {}, '! format'],
    ['date', '0001-02-03', {}, '! format'],
    ['date', '2026-03-11', { max: 'today' }, '! maximum'],
    ['date', '2026-03-10', { min: 'today', max: 'today' }, '2026-03-10'],
    ['datetime', '2026-03-01T10:00:00+02:00', {}, '2026-03-01T08:00:00.000Z'],
    ['datetime', '2026-03-01 10:00', {}, '! format'],
    ['datetime', '2026-03-01T10:00:00Z', { min: '2026-03-01T12:00:00+01:00' }, '! minimum'],
    ['select', 'red', {}, 'red'],
    ['select', 'old', {}, '! enum'],
    ['select', ['red'], {}, '! enum'],
    ['multi_select', ['green', 'red'], {}, ['red', 'green']],
    ['multi_select', ['red', 'red'], {}, '! uniqueItems'],
    ['multi_select', ['red', 'green'], { max_selected: 1 }, '! maxItems'],
    ['multi_select', ['blue'], {}, '! enum'],
    ['multi_select', [], {}, null],
    ['url', 'https://acme.example/a?b=c', {}, 'https://acme.example/a?b=c'],
    ['url', 'http://acme.example', { https_only: true }, '! format'],
    ['url', 'javascript:alert(1)', {}, '! format'],
    ['email', 'Moss@Acme.example', {}, 'Moss@Acme.example'],
    ['email', 'moss', {}, '! format'],
    ['phone', '+49 30 901820', {}, '+4930901820'],
    ['phone', 'call me', {}, '! format'],
    ['money', { amount: '5', currency: 'EUR' }, {}, { amount: '5.00', currency: 'EUR' }],
    ['money', { amount: '5.001', currency: 'EUR' }, {}, '! digits'],
    ['money', { amount: '5', currency: 'EUR' }, { currency: 'USD' }, '! currency'],
    ['money', { amount: '5', currency: 'QQQ' }, {}, '! currency'],
    ['money', 5, {}, '! type'],
    ['user', '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b', {}, '0190a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'],
    ['user', 'moss', {}, '! format'],
  ]

  for (const [type, value, validation, expected] of cases)
    assert.deepEqual(parse(type, value, validation), expected, `${type} ${JSON.stringify(value).slice(0, 80)}`)
})

test('a nested quantifier is matched in linear time', () => {
  const timeOf = (length: number) => {
    const text = `${'a'.repeat(length - 1)}b`
    const times = [1, 2, 3, 4, 5].map(() => {
      const start = process.hrtime.bigint()
      assert.equal(matchesPattern('(a+)+$', text), false)
      return Number(process.hrtime.bigint() - start)
    })
    return Math.min(...times)
  }
  timeOf(1_000)

  const [short, long] = [timeOf(100), timeOf(1_000)]

  // A backtracking engine needs 2^900 times as long.
  assert.ok(long < short * 1_000, `${short} ns for 100 characters, ${long} ns for 1,000`)
})

test('lookarounds, backreferences, huge repetitions and large patterns do not compile', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `${letter}?`).join('')
  const refused = [
    '(?=a)',
    '(?<!a)b',
    '(a)\\1',
    '(',
    'a{51}',
    '(?:a{2,51})+',
    '((a{100}){100}){100}',
    `(?:${letters}){1000}$`,
    `(?:(?:${letters}){20}){50}$`,
    `(?:[])]${letters}){50}`,
    `(?:[[:alpha:])]${letters}){50}`,
    `(?:\\Q)\\E${letters}){50}`,
  ]

  for (const pattern of refused)
    assertCheapText(() => assert.equal(compilePattern(pattern), undefined, pattern), String, { maxLength: 32 })
  for (const pattern of ['(a{50}){10}', '^[A-Z]{2}-\\d{4,8}$', '(?i)a{1,50}[{}{99}]+\\{99\\}', '\\p{L}{1,50}'])
    assert.ok(compilePattern(pattern), pattern)
})

test('the estimated size of a pattern is at least that of its program', () => {
  const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
    pattern: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('a', '.', '\\d', '[^]a]', '[[:alpha:]x]', '\\p{L}', '\\x{61}', '[)(]', '\\)', '$', '[a\\]]'),
      fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
      fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
      fc
        .tuple(tie('pattern'), fc.constantFrom('?', '*', '+', '{2}', '{0,3}', '{0,}', '{7}', '{3,}'))
        .map(([inner, repeat]) => `(${inner})${repeat}`),
    ),
  }))

  fc.assert(
    fc.property(pattern, (source) => {
      const program = RE2JS.compile(source).programSize()
      const { size } = measurePattern(source)
      assert.ok(size + 2 >= program, `${source}: ${size} instead of ${program}`)
    }),
    { numRuns: 300 },
  )
})

test('a text that would take too long with its pattern is refused before it is matched', () => {
  const pattern = `^(?:${[...'abcdefghijklmnopqr'].map((letter) => `${letter}?`).join('')}){25}$`

  assert.deepEqual(parse('long_text', 'a'.repeat(20_000), { pattern }), '! maxLength')
  assert.deepEqual(parse('long_text', 'a', { pattern: 'a{1000}' }), '! pattern')
  assert.deepEqual(parse('long_text', 'a'.repeat(20_000), { pattern: '^a+$' }), 'a'.repeat(20_000))
  assertCheapText(
    (text) => parse('long_text', text, { pattern }),
    (length) => 'rq'.repeat(length / 2),
    { maxLength: 20_000 },
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError, invalidInput } from '#platform/errors'
import { newId } from '#platform/ids'
import { assertCheapText } from '#testing'
import type { ColumnMapping, Transform } from './import.schemas.ts'
import { defaultOptions, type ImportField, listImportFields } from './import-fields.rules.ts'
import { hashMatchKey, matchKeyOf } from './match-rows.rules.ts'
import { mergeValues, toNewValues, toRecordInput } from './merge-values.rules.ts'
import { createRowParser, readValue } from './parse-row.rules.ts'
import { suggestMapping, toColumnNames } from './suggest-mapping.rules.ts'

const custom = (key: string, type: string, options: string[] = []) =>
  ({
    key,
    label: `My ${key}`,
    type,
    options: options.map((option) => ({
      key: option,
      label: `The ${option}`,
      color: null,
      is_active: option !== 'old',
    })),
    validation: {},
    is_active: key !== 'inactive',
    deleted_at: null,
  }) as unknown as Parameters<typeof listImportFields>[1][number]

const customFields = [
  custom('tier', 'select', ['gold', 'old']),
  custom('colors', 'multi_select', ['red', 'blue']),
  custom('since', 'date'),
  custom('seen', 'datetime'),
  custom('size', 'number'),
  custom('budget', 'money'),
  custom('vip', 'boolean'),
  custom('about', 'long_text'),
  custom('inactive', 'text'),
]
const leadFields = listImportFields('lead', customFields)
const contactFields = listImportFields('contact', [])
const fieldOf = (name: string): ImportField => leadFields.find((field) => field.name === name)!

test('columns are mapped to the field of their name, in several languages and spellings', () => {
  const suggest = (columns: string[], fields = leadFields) => suggestMapping(columns, fields).map(({ field }) => field)

  assert.deepEqual(suggest(['E-Mail', 'First Name', 'NACHNAME', 'utm_source', 'My tier', 'custom.size', 'Whatever']), [
    'email',
    'first_name',
    'last_name',
    'utm.source',
    'custom.tier',
    'custom.size',
    null,
  ])
  assert.deepEqual(suggest(['Full name', 'Company', 'inactive']), ['name', 'company', null])
  assert.deepEqual(suggest(['Name', 'Last name']), [null, 'last_name'])
  assert.deepEqual(suggest(['Email', 'Email address', 'Account', 'Domain'], contactFields), [
    'email',
    null,
    'account_name',
    'account_domain',
  ])
})

test('every column has a name of its own', () => {
  assert.deepEqual(toColumnNames(['a', 'a', '', ' b ', 'a', 'a (2)']), [
    'a',
    'a (2)',
    'Column 3',
    'b',
    'a (3)',
    'a (2) (2)',
  ])
  assert.equal(toColumnNames(['x'.repeat(300)])[0]!.length, 200)
})

const users = new Map([['ann@acme.example', newId()]])
const context = { currency: 'EUR', timezone: 'Europe/Berlin', users }

const read = (name: string, text: string, transform?: Transform) => {
  const parsed = readValue(fieldOf(name), text, { ...context, transform })
  return 'value' in parsed ? parsed.value : { problem: parsed.problem.code }
}

test('a cell of thousands of characters is read or rejected without a delay', () => {
  const names = ['budget', 'size', 'since', 'seen', 'vip', 'tier', 'colors', 'about'].map((key) => `custom.${key}`)
  const forms: [start: string, part: string, end: string][] = [
    ['AAA', ' ', '1A'],
    ['AAA', '\t', '1A'],
    ['', '1', 'x'],
    ['1', ',000', 'x'],
    ['', '1.', ''],
    ['', ';', 'x'],
    ['[', '"a",', ''],
  ]

  for (const name of [...names, 'annual_revenue', 'first_name', 'tags'])
    for (const [start, part, end] of forms)
      for (const transform of [undefined, 'number:eu', 'date:dmy'] as const)
        assertCheapText(
          (text) => read(name, text, transform),
          (length) => `${start}${part.repeat(length / part.length)}${end}`,
          { maxLength: 32_767 },
        )
  assert.deepEqual(read('custom.budget', `1${' '.repeat(40)}EUR`), { problem: 'maxLength' })
  assert.deepEqual(read('custom.size', `${'0'.repeat(40)}1`), { problem: 'maxLength' })
  assert.deepEqual(read('custom.since', '2026-03-01'.padEnd(50)), '2026-03-01')
  assert.deepEqual(read('custom.colors', Array.from({ length: 201 }, (_, n) => n).join(';')), { problem: 'items' })
})
const problem = (code: string) => ({ problem: code })

test('cells are read as the type of their field', () => {
  const cases: [field: string, text: string, expected: unknown, transform?: Transform][] = [
    ['last_name', '  Moss ', 'Moss'],
    ['last_name', 'MOSS', 'moss', 'lower'],
    ['last_name', 'x'.repeat(101), problem('maxLength')],
    ['email', 'A@b.example', 'A@b.example'],
    ['email', 'A@b.example', 'a@b.example', 'lower'],
    ['email', 'ada', problem('format')],
    ['email', `${'x'.repeat(250)}@b.example`, problem('maxLength')],
    ['phone', '12', problem('format')],
    ['employee_count', '1,250', 1250],
    ['employee_count', '1.250', problem('range')],
    ['employee_count', '1.250', 1250, 'number:eu'],
    ['employee_count', '1250.5', problem('type'), 'number:eu'],
    ['employee_count', '12 500', 12_500],
    ['employee_count', 'many', problem('type')],
    ['employee_count', '-1', problem('range')],
    ['employee_count', '1,25', problem('type')],
    ['annual_revenue', '1250.00 EUR', { amount: '1250.00', currency: 'EUR' }],
    ['annual_revenue', 'USD 1,250', { amount: '1250', currency: 'USD' }],
    ['annual_revenue', '1.250,50', { amount: '1250.50', currency: 'EUR' }, 'number:eu'],
    ['annual_revenue', '1250 XXQ', problem('currency')],
    ['annual_revenue', 'rich', problem('type')],
    ['annual_revenue', '€ 1.250,50', { amount: '1250.50', currency: 'EUR' }, 'number:eu'],
    ['annual_revenue', '$1,250.50', { amount: '1250.50', currency: 'USD' }],
    ['country', 'de', 'DE'],
    ['country', 'Atlantis', problem('pattern')],
    ['status', 'Working', 'working'],
    ['status', 'sleeping', problem('enum')],
    ['source', 'Trade Fair', 'trade_fair'],
    ['owner_id', 'me', problem('unknown')],
    ['owner_id', 'Ann@Acme.example ', users.get('ann@acme.example')],
    ['tags', 'a; b;; a', ['a', 'b']],
    ['tags', 'a; b', ['a; b'], 'none'],
    ['tags', '"a","b", c', ['a', 'b', 'c'], 'split:,'],
    ['tags', '["a;b","c"]', ['a;b', 'c']],
    ['tags', '[not json', ['[not json']],
    ['tags', 'x'.repeat(51), problem('items')],
    ['custom.tier', 'gold', 'gold'],
    ['custom.tier', 'the GOLD', 'gold'],
    ['custom.tier', 'old', problem('enum')],
    ['custom.colors', 'The red; blue', ['red', 'blue']],
    ['custom.colors', 'red; green', problem('enum')],
    ['custom.since', '2026-03-01', '2026-03-01'],
    ['custom.since', '1.3.2026', '2026-03-01', 'date:dmy'],
    ['custom.since', '3/1/2026', '2026-03-01', 'date:mdy'],
    ['custom.since', '31.02.2026', problem('format'), 'date:dmy'],
    ['custom.since', '01/03/2026', problem('format')],
    ['custom.seen', '2026-03-01', '2026-02-28T23:00:00.000Z'],
    ['custom.seen', '2026-03-01T09:30:00+02:00', '2026-03-01T09:30:00+02:00'],
    ['custom.seen', 'yesterday', problem('format')],
    ['custom.size', '-1.5', -1.5],
    ['custom.budget', '-5 USD', { amount: '-5', currency: 'USD' }],
    ['custom.vip', 'Yes', true],
    ['custom.vip', '0', false],
    ['custom.vip', 'WAHR', true],
    ['custom.vip', 'FAUX', false],
    ['custom.vip', 'maybe', problem('type')],
    ['custom.about', ' two\nlines ', 'two\nlines'],
    ['email_status', 'Subscribed', 'subscribed'],
    ['email_status', 'yes', problem('enum')],
  ]

  for (const [field, text, expected, transform] of cases)
    assert.deepEqual(read(field, text, transform), expected, `${field}: ${text}`)
})

const parserOf = (columns: string[], fields: (string | null)[], default_values: Record<string, string> = {}) => {
  const mapping = columns.map((column, index): ColumnMapping => ({ column, field: fields[index] ?? null }))
  return createRowParser({
    columns,
    mapping,
    options: { default_values, match_by: 'email' },
    fields: leadFields,
    facts: {},
    ...context,
  })
}

test('a row has values, blank fields and errors with their columns', () => {
  const parser = parserOf(['Mail', 'Full', 'Town', 'Other'], ['email', 'name', 'city', null], { country: 'de' })

  assert.deepEqual(parser.parseRow(['a@b.example', 'Ada King Lovelace', ' ', 'x'], null), {
    values: { email: 'a@b.example', first_name: 'Ada King', last_name: 'Lovelace' },
    blank: ['city'],
    errors: [],
    warnings: [],
  })
  const codesOf = (cells: string[], problem: string | null = null) =>
    parser.parseRow(cells, problem).errors.map(({ column, code }) => [column, code])
  assert.deepEqual(codesOf(['no', '', '', '']), [['Mail', 'format']])
  assert.deepEqual(codesOf(['a@b.example', 'A']), [])
  assert.deepEqual(parser.parseRow(['a@b.example', 'A'], null).blank, ['city'])
  assert.deepEqual(codesOf(['a@b.example', 'A', 'B', 'C', 'D']), [[null, 'column_count']])
  assert.deepEqual(codesOf(['a@b.example', 'A', 'B', 'C', '', ' ']), [])
  assert.deepEqual(codesOf([], 'erased'), [[null, 'erased']])
  assert.deepEqual(parser.defaults, { country: 'DE' })
  const error = invalidInput([{ in: 'body', path: '/email', code: 'taken', message: 'Taken.' }])
  assert.deepEqual(parser.toMessages(error), [{ column: 'Mail', field: 'email', code: 'taken', message: 'Taken.' }])
  assert.equal(parser.toMessages(new AppError(409, 'lead_converted', 'No.'))[0]!.code, 'lead_converted')
})

test('values of a match are merged as the options say', () => {
  const record = {
    title: 'CEO',
    city: null,
    tags: ['a'],
    utm: { source: 'ads' },
    custom: { colors: ['red'] },
    source: 'web',
  }
  const values = {
    title: 'CTO',
    city: 'Bonn',
    tags: ['b'],
    'custom.colors': ['blue'],
    'utm.medium': 'mail',
    email_status: 'x',
  }
  const merge = (options: object, blank: string[] = []) =>
    mergeValues(record, { values, blank }, { ...defaultOptions, ...options }).after

  assert.deepEqual(merge({}), { city: 'Bonn', 'utm.medium': 'mail' })
  assert.deepEqual(merge({ tags: ['c'] }), { city: 'Bonn', 'utm.medium': 'mail', tags: ['a', 'c'] })
  const updated = { title: 'CTO', city: 'Bonn', 'utm.medium': 'mail' }
  assert.deepEqual(merge({ on_match: 'update' }), { ...updated, tags: ['a', 'b'], 'custom.colors': ['red', 'blue'] })
  const replaced = { ...updated, tags: ['b'], 'custom.colors': ['blue'] }
  assert.deepEqual(merge({ on_match: 'update', multi_select: 'replace' }), replaced)
  const clear = (on_match: 'update' | 'update_empty', blank_clears: boolean) =>
    mergeValues(
      record,
      { values: {}, blank: ['title', 'tags', 'source', 'city'] },
      { ...defaultOptions, on_match, blank_clears },
    )
  assert.deepEqual(clear('update', true), { before: { title: 'CEO', tags: ['a'] }, after: { title: null, tags: [] } })
  assert.deepEqual([clear('update', false).after, clear('update_empty', true).after], [{}, {}])
})

test('values become the input of a record', () => {
  const values = {
    last_name: 'A',
    'utm.medium': 'mail',
    'custom.tier': 'gold',
    account_name: 'Acme',
    email_status: 'x',
  }

  assert.deepEqual(toRecordInput(values, { utm: { source: 'ads' } }), {
    last_name: 'A',
    utm: { source: 'ads', medium: 'mail' },
    custom: { tier: 'gold' },
  })
  assert.deepEqual(
    toNewValues(
      { values: { city: 'Bonn', tags: ['a'] } },
      { city: 'Ulm', title: 'CEO' },
      { tags: ['b'], owner_id: 'me' },
    ),
    {
      owner_id: 'me',
      city: 'Bonn',
      title: 'CEO',
      tags: ['a', 'b'],
    },
  )
})

test('the key of a row follows the options', () => {
  const keyOf = (values: object, options: object) =>
    matchKeyOf(values as Record<string, unknown>, { ...defaultOptions, ...options }, [
      { ...customFields[4]!, id: 'x' } as never,
    ])?.key ?? null

  assert.equal(keyOf({ email: 'A@B.example' }, {}), 'a@b.example')
  assert.equal(keyOf({ last_name: 'A' }, {}), null)
  assert.equal(keyOf({ email: 'a@b.example' }, { on_match: 'create' }), null)
  assert.equal(keyOf({ email: 'a@b.example' }, { match_by: 'none' }), null)
  const byName = { match_by: 'name_company' }
  assert.equal(
    keyOf({ first_name: 'Ada', last_name: 'X', company: 'Acme Ltd' }, byName),
    keyOf({ first_name: 'ada', last_name: 'x', company: 'ACME' }, byName),
  )
  assert.equal(keyOf({ last_name: 'X' }, byName), null)
  assert.notEqual(keyOf({ 'custom.size': 5 }, { match_by: 'custom_field:size' }), null)
  assert.notEqual(hashMatchKey('one', { key: 'a' }), hashMatchKey('other', { key: 'a' }))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { findCountry } from './countries.rules.ts'
import { createFormCounter, type FileFacts, findNumberForm } from './file-facts.rules.ts'
import type { ColumnMapping } from './import.schemas.ts'
import { listImportFields } from './import-fields.rules.ts'
import { listMappedColumns, listUserTexts } from './mapped-columns.rules.ts'
import { type DateOrder, readDate, toInstant } from './parse-date.rules.ts'
import { createRowParser } from './parse-row.rules.ts'
import { suggestReadableMapping } from './suggest-mapping.rules.ts'

const fields = listImportFields('lead', [
  {
    key: 'since',
    label: 'Customer since',
    type: 'date',
    options: [],
    validation: {},
    is_active: true,
    deleted_at: null,
  } as unknown as Parameters<typeof listImportFields>[1][number],
])
const jane = newId()
const context = { currency: 'EUR', timezone: 'Europe/Berlin', users: new Map([['jane doe', jane]]) }

test('countries are found by code, by English and local name and by usual names', () => {
  const cases: Record<string, string[]> = {
    DE: ['Germany', 'Deutschland', 'DEU', 'de', 'Allemagne'],
    AT: ['Österreich', 'AUT', 'Austria'],
    US: ['USA', 'United States of America', 'U.S.', 'United States'],
    GB: ['UK', 'U.K.', 'Great Britain', 'England', 'United Kingdom'],
    CI: ['Côte d’Ivoire', 'Ivory Coast'],
    JP: ['日本', 'Japan'],
    NL: ['The Netherlands', 'Nederland', 'Holland'],
    CZ: ['Czech Republic', 'Česko', 'Czechia'],
  }
  for (const [code, names] of Object.entries(cases))
    assert.deepEqual(
      names.map((name) => findCountry(name)),
      names.map(() => code),
      code,
    )
  for (const name of ['Atlantis', '', 'X', 'N/A']) assert.equal(findCountry(name), undefined, name)
})

test('dates of the usual forms are read, and those that could be another day only with an order', () => {
  const cases: [text: string, expected: string | undefined, order?: DateOrder][] = [
    ['2026-12-31', '2026-12-30T23:00:00.000Z'],
    ['2026/12/31', '2026-12-30T23:00:00.000Z'],
    ['20261231', '2026-12-30T23:00:00.000Z'],
    ['31.12.2026', '2026-12-30T23:00:00.000Z'],
    ['1.7.26', '2026-06-30T22:00:00.000Z'],
    ['1/7/1995 ', '1995-06-30T22:00:00.000Z', 'dmy'],
    ['12/31/2026', '2026-12-30T23:00:00.000Z'],
    ['31/12/2026', '2026-12-30T23:00:00.000Z'],
    ['31/12/2026', undefined, 'mdy'],
    ['12/11/2026', undefined],
    ['12/11/2026', '2026-12-10T23:00:00.000Z', 'mdy'],
    ['12/11/2026', '2026-11-11T23:00:00.000Z', 'dmy'],
    ['12/31/26, 2:05 PM', '2026-12-31T13:05:00.000Z'],
    ['12/31/2026 12:05 AM', '2026-12-30T23:05:00.000Z'],
    ['31.12.2026 14:30', '2026-12-31T13:30:00.000Z'],
    ['2026-12-31 14:30:15', '2026-12-31T13:30:15.000Z'],
    ['2026-12-31T14:30', '2026-12-31T13:30:00.000Z'],
    ['2026-12-31 14:30:15 UTC', '2026-12-31T14:30:15Z'],
    ['2026-12-31T14:30:15.5+02:00', '2026-12-31T14:30:15.5+02:00'],
    ['2026-12-31 14:30 +0200', '2026-12-31T14:30:00+02:00'],
    ['46387', '2026-12-30T23:00:00.000Z'],
    ['46387.5', '2026-12-31T11:00:00.000Z'],
    ['46387,5', '2026-12-31T11:00:00.000Z'],
    ['Dec 31, 2026', '2026-12-30T23:00:00.000Z'],
    ['31. Dezember 2026', '2026-12-30T23:00:00.000Z'],
    ['31 décembre 2026', '2026-12-30T23:00:00.000Z'],
    ['Thu Dec 31 2026', '2026-12-30T23:00:00.000Z'],
    ['31-Dec-2026', '2026-12-30T23:00:00.000Z'],
    ...[
      '31.02.2026',
      '2026',
      '13/13/2026',
      '2026-12-31 25:00',
      'yesterday',
      ':',
      '1:',
      '31 Dec',
      '12345678901',
      '0',
    ].map((text): [string, undefined] => [text, undefined]),
  ]
  for (const [text, expected, order] of cases) {
    const date = readDate(text, order)
    assert.equal(date && toInstant(date, 'Europe/Berlin'), expected, text)
  }
})

test('the forms of dates and numbers are decided by all values of a column', () => {
  const factsOf = (cells: string[]) => {
    const counter = createFormCounter()
    for (const cell of cells) counter.add([cell])
    const { dates, numbers } = counter.toFacts()
    return [dates![0], numbers![0]]
  }

  assert.deepEqual(factsOf(['01/02/2026', '12/31/2026']), ['mdy', null])
  assert.deepEqual(factsOf(['01/02/2026 10:00', '31/12/2026 10:00']), ['dmy', null])
  assert.deepEqual(factsOf(['01/02/2026', '']), ['unknown', null])
  assert.deepEqual(factsOf(['31.12.2026']), [null, null])
  assert.deepEqual(factsOf(['1.250', '3.999,5']), [null, 'eu'])
  assert.deepEqual(factsOf(['1,250', '$3,999.50']), [null, 'us'])
  assert.deepEqual(factsOf(['1.250', 'about 3']), [null, null])
  const forms: [string, string | undefined][] = [
    ['12,5', 'eu'],
    ['12.5', 'us'],
    ['1.250.000', 'eu'],
    ['1,250,000 EUR', 'us'],
    ['1250', undefined],
    ['1250.125', 'us'],
    ['0,125', 'eu'],
    ['31.12.2026', undefined],
  ]
  for (const [text, form] of forms) assert.equal(findNumberForm(text), form, text)
})

const parserOf = (columns: string[], mapping: ColumnMapping[], facts: FileFacts = {}, match_by = 'email') =>
  createRowParser({ columns, mapping, options: { default_values: {}, match_by }, fields, facts, ...context })

test('unknown statuses, stages, countries and owners are left out with a warning', () => {
  const columns = ['email', 'status', 'lifecycle_stage', 'country', 'owner_id', 'timezone']
  const mapping = columns.map((column) => ({ column, field: column }))
  const parse = (cells: string[]) => parserOf(columns, mapping).parseRow(cells, null)

  const unknown = parse(['a@b.example', 'Sleeping', 'Guru', 'Atlantis', 'Jack', 'Eastern'])
  const known = parse(['a@b.example', 'Working - Contacted', 'Marketing Qualified Lead', 'France', 'JANE DOE', 'UTC'])

  assert.deepEqual([unknown.values, unknown.errors, unknown.blank], [{ email: 'a@b.example' }, [], []])
  assert.deepEqual(
    unknown.warnings.map(({ column, code }) => [column, code]),
    columns.slice(1).map((column) => [column, 'unknown_value']),
  )
  assert.deepEqual(known, {
    values: {
      email: 'a@b.example',
      status: 'working',
      lifecycle_stage: 'mql',
      country: 'FR',
      owner_id: jane,
      timezone: 'UTC',
    },
    blank: [],
    errors: [],
    warnings: [],
  })
})

test('texts of a column are read as the mapping says', () => {
  const mapping: ColumnMapping[] = [
    { column: 'Status', field: 'status', values: { Hot: 'qualified', '-': '' } },
    { column: 'Tags', field: 'tags', values: { vip: 'important' } },
    { column: 'Owner', field: 'owner_id', values: { JD: 'Jane Doe' } },
  ]
  const columns = ['Status', 'Tags', 'Owner']
  const parser = parserOf(columns, mapping)

  const values = (cells: string[]) => parser.parseRow(cells, null)

  assert.deepEqual(values(['hot ', 'VIP; new', 'jd']).values, {
    status: 'qualified',
    tags: ['important', 'new'],
    owner_id: jane,
  })
  assert.deepEqual(values(['-', '', '']).blank, ['status', 'tags', 'owner_id'])
  const mapped = listMappedColumns({ columns, mapping, fields })
  assert.deepEqual(listUserTexts(mapped, [['', '', 'JD'], ['', '', ' Ann@b.example'], []], ['Bob']), [
    'jane doe',
    'ann@b.example',
    'bob',
  ])
})

test('a column is read as its values prove, also without a transform', () => {
  const columns = ['Customer since', 'annual_revenue']
  const mapping = [
    { column: 'Customer since', field: 'custom.since' },
    { column: 'annual_revenue', field: 'annual_revenue' },
  ]
  const facts: FileFacts = { dates: ['mdy', null], numbers: [null, 'eu'] }

  const { values } = parserOf(columns, mapping, facts).parseRow(['1/2/2026', '1.250'], null)

  assert.deepEqual(values, { 'custom.since': '2026-01-02', annual_revenue: { amount: '1250', currency: 'EUR' } })
})

test('fields are not suggested if most of the first values cannot be read, and the readable ones are counted', () => {
  const columns = ['Email', 'Country', 'Owner', 'Customer since', 'Status', 'Email opt out', 'Tags', 'Person - Phone']
  const rows = [
    ['a@b.example', 'Germany', 'Jane Doe', '1/2/2026', 'x', 'true', 'a,b', '+49 30 1234'],
    ['b@b.example', 'Atlantis', '', '3/4/2026', 'y', 'false', 'c', ''],
    ['wrong', 'Italy', 'Unknown Person', '', 'new', '', '', ''],
  ]
  const facts: FileFacts = { dates: [null, null, null, 'unknown'], numbers: [] }

  const suggestion = suggestReadableMapping({ columns, fields, rows, facts, delimiter: ';', context })

  const { values: optOut, ...optOutColumn } = suggestion.mapping[5]!
  assert.deepEqual(suggestion.mapping.toSpliced(5, 1, optOutColumn), [
    { column: 'Email', field: 'email' },
    { column: 'Country', field: 'country' },
    { column: 'Owner', field: 'owner_id' },
    { column: 'Customer since', field: 'custom.since', transform: 'date:dmy' },
    { column: 'Status', field: null },
    { column: 'Email opt out', field: 'email_status' },
    { column: 'Tags', field: 'tags', transform: 'split:,' },
    { column: 'Person - Phone', field: 'phone' },
  ])
  assert.deepEqual([optOut?.true, optOut?.false], ['unsubscribed', ''])
  assert.deepEqual(
    suggestion.values.map(({ checked, readable }) => [checked, readable]),
    [
      [3, 2],
      [3, 2],
      [2, 1],
      [2, 2],
      [3, 1],
      [1, 1],
      [2, 2],
      [1, 1],
    ],
  )
  assert.deepEqual(suggestion.ambiguousDates, ['Customer since'])
})

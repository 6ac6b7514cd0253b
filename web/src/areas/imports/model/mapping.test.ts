import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  carryOver,
  type Draft,
  isSaved,
  keepColumn,
  letterOf,
  parseDraft,
  setField,
  setOptions,
  setTransform,
  standardOptions,
  toDraft,
} from './draft.ts'
import { listFields, transformsOf } from './fields.ts'
import { findProblems, stateOfColumn } from './problems.ts'
import type { ColumnMapping } from './types.ts'

const standard = [
  { key: 'email', label: 'Email', type: 'text', is_writable: true },
  { key: 'last_name', label: 'Last name', type: 'text', is_writable: true },
  { key: 'employee_count', label: 'Employee count', type: 'number', is_writable: true },
  { key: 'score', label: 'Score', type: 'number', is_writable: false },
  { key: 'name', label: 'Name', type: 'text', is_writable: false },
  { key: 'tags', label: 'Tags', type: 'tags', is_writable: true },
]
const fairDay = {
  key: 'fair_day',
  label: 'Fair day',
  type: 'date' as const,
  options: [],
  is_active: true,
  is_unique: false,
}
const badge = { ...fairDay, key: 'badge', label: 'Badge', type: 'text' as const, is_unique: true }
const fields = listFields('leads', standard, [fairDay, badge, { ...fairDay, key: 'old', is_active: false }])

const columns = ['E-Mail', 'Mail privat', 'Nachname', 'Messetag']
const suggested_mapping: ColumnMapping[] = [
  { column: 'E-Mail', field: 'email' },
  { column: 'Mail privat', field: null },
  { column: 'Nachname', field: 'last_name' },
  { column: 'Messetag', field: 'custom.fair_day', transform: 'date:dmy' },
]
const file = {
  columns,
  suggested_mapping,
  mapping: null,
  options: null,
  sample_rows: [['a@b.example', '', 'Wagner', '24.11.2026']],
  file_warnings: [],
  column_values: [],
}
const draft = toDraft(file)
const kindsOf = (changed: Draft, of: Parameters<typeof findProblems>[2] = file) =>
  findProblems(changed, fields, of).map(({ kind }) => kind)

test('the fields are those that a file can set, in groups, with the custom fields last', () => {
  assert.deepEqual(
    fields.map(({ name }) => name),
    ['last_name', 'name', 'email', 'employee_count', 'tags', 'custom.fair_day', 'custom.badge'],
  )
  assert.ok(listFields('contacts', standard, []).some(({ name }) => name === 'account_name'))
  assert.ok(fields.every(({ label, group }) => label !== '' && group !== ''))
})

test('each kind of field has its transforms, the first of which changes nothing', () => {
  const transformsOfField = (name: string) => transformsOf(fields.find((field) => field.name === name)!)

  assert.deepEqual(transformsOfField('custom.fair_day'), ['none', 'date:dmy', 'date:mdy'])
  assert.deepEqual(transformsOfField('tags')[0], 'split:;')
})

test('a draft begins with the suggestion and continues with what was saved', () => {
  const saved = { ...file, mapping: [{ column: 'Nachname', field: 'last_name' }], options: standardOptions }

  assert.deepEqual(draft.columns, suggested_mapping)
  assert.deepEqual(
    toDraft(saved).columns.map(({ field }) => field),
    [null, null, 'last_name', null],
  )
  assert.equal(isSaved(draft, file), false)
  assert.equal(isSaved(toDraft(saved), saved), true)
  assert.equal(isSaved(setOptions(toDraft(saved), { tags: ['fair'] }), saved), false)
})

test('another field drops the transform, and the same field keeps it', () => {
  const [changed, same] = ['last_name', 'custom.fair_day'].map((field) => setField(draft, 'Messetag', field))

  assert.deepEqual(changed!.columns[3], { column: 'Messetag', field: 'last_name' })
  assert.deepEqual(same, draft)
})

test('a field that two columns have blocks the next step until one of them is kept', () => {
  const doubled = setField(draft, 'Mail privat', 'email')
  const [problem] = findProblems(doubled, fields, file)

  assert.partialDeepStrictEqual(problem, { kind: 'duplicate', isBlocking: true, field: 'Email' })
  assert.deepEqual(problem!.columns, ['E-Mail', 'Mail privat'])
  assert.deepEqual(
    doubled.columns.map((column) => stateOfColumn([problem!], column)),
    ['blocked', 'blocked', 'fits', 'fits'],
  )
  assert.deepEqual(
    keepColumn(doubled, 'Mail privat').columns.map(({ field }) => field),
    [null, 'email', 'last_name', 'custom.fair_day'],
  )
  assert.deepEqual(kindsOf(keepColumn(doubled, 'E-Mail')), [])
})

test('what is missing is named: any column, a name, the key of existing records', () => {
  const leaveOut = (...names: string[]) => names.reduce((before, name) => setField(before, name, null), draft)

  assert.deepEqual(kindsOf(leaveOut(...columns)), ['nothing_mapped'])
  assert.deepEqual(kindsOf(leaveOut('E-Mail', 'Nachname')), ['nameless'])
  assert.deepEqual(kindsOf(leaveOut('E-Mail')), ['unmatched'])
  assert.deepEqual(kindsOf(setOptions(draft, { match_by: 'custom_field:badge' })), ['unmapped_match'])
  assert.deepEqual(kindsOf(setField(draft, 'Messetag', 'custom.gone')), ['unknown_field'])
})

test('samples that do not fit are counted, of the first 100 rows as long as the suggestion is unchanged', () => {
  const wrong = { ...file, sample_rows: [...file.sample_rows, ['c@d.example', '', 'Demir', '11/26/2026']] }
  const counted = {
    ...wrong,
    column_values: [{ column: 'Messetag', field: 'custom.fair_day', checked: 80, readable: 77 }],
  }
  const [ofSamples] = findProblems(draft, fields, wrong)
  const [ofHundred] = findProblems(draft, fields, counted)

  assert.partialDeepStrictEqual(ofSamples, { kind: 'unreadable', count: 1, checked: 2, example: '11/26/2026' })
  assert.partialDeepStrictEqual(ofHundred, { count: 3, checked: 80, isBlocking: false })
  assert.partialDeepStrictEqual(findProblems(setTransform(draft, 'Messetag', 'date:mdy'), fields, counted)[0], {
    count: 1,
    checked: 2,
  })
})

test('a question about the order of dates ends when the user has chosen it', () => {
  const warning = { code: 'ambiguous_dates' as const, column: 'Messetag', message: '' }
  const asked = { ...file, file_warnings: [warning], sample_rows: [['', '', 'Wagner', '3/4/2026']] }

  assert.deepEqual(kindsOf(draft, asked), ['ambiguous_dates'])
  assert.deepEqual(kindsOf(setTransform(draft, 'Messetag', 'date:dmy'), asked), [])
})

test('another file takes over the columns of the same name and the options', () => {
  const chosen = setOptions(setField(draft, 'Mail privat', 'email'), { basis: 'consent' })
  const other = {
    columns: ['Mail privat', 'Email', 'Tags'],
    suggested_mapping: [
      { column: 'Mail privat', field: null },
      { column: 'Email', field: 'email' },
      { column: 'Tags', field: 'tags' },
    ],
    mapping: null,
    options: null,
  }

  const carried = carryOver(chosen, other)

  assert.deepEqual(
    carried.columns.map(({ field }) => field),
    ['email', null, 'tags'],
  )
  assert.equal(carried.options.basis, 'consent')
})

test('a stored draft is read only for the columns that it belongs to', () => {
  const text = JSON.stringify(draft)

  assert.deepEqual(parseDraft(text, columns), draft)
  assert.equal(parseDraft(text, columns.slice(1)), undefined)
  assert.equal(parseDraft('', columns), undefined)
})

test('columns have the letters of a spreadsheet', () => {
  assert.deepEqual([0, 25, 26, 51, 52, 199].map(letterOf), ['A', 'Z', 'AA', 'AZ', 'BA', 'GR'])
})

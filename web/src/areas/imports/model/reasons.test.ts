import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportField } from './fields.ts'
import { describeMessage, groupByReason, pickColumns, type RowMessage } from './reasons.ts'
import { countWritten, currentStep, firstOutcome, listOpenSteps } from './steps.ts'
import type { ImportRow } from './types.ts'

const fields: ImportField[] = [
  { name: 'email', label: 'Email', group: '', kind: 'text', isCustom: false, isUnique: false },
  { name: 'custom.fair_day', label: 'Fair day', group: '', kind: 'date', isCustom: true, isUnique: false },
]
const message = (code: string, field: string | null, column: string | null, text = ''): RowMessage => ({
  code,
  field,
  column,
  message: text,
})
const wrongEmail = message('format', 'email', 'E-Mail', '`email` must be an email address.')
const wrongDay = message('format', 'custom.fair_day', 'Messetag')
const row = (row_no: number, ...errors: RowMessage[]): ImportRow => ({
  row_no,
  outcome: 'failed',
  record_id: null,
  kept_reason: null,
  cells: [],
  errors,
  warnings: [],
})
const errorsOf = ({ errors }: ImportRow) => errors
const describe = (one: RowMessage) => describeMessage(one, fields)

test('rows are grouped by their first message, the most frequent first', () => {
  const rows = [row(2, wrongDay), row(3, wrongEmail), row(4, wrongEmail, wrongDay), row(5)]

  const reasons = groupByReason(rows, errorsOf, describe)

  assert.deepEqual(
    reasons.map(({ label, rows: ofReason }) => [label, ofReason.map(({ row_no }) => row_no)]),
    [
      ['Email is not an email address', [3, 4]],
      ['Fair day is not a date', [2]],
      ['The record exists already', [5]],
    ],
  )
})

test('a message without an own sentence is that of the server with the label of its field', () => {
  assert.equal(describe(message('new', 'email', null, '`email` must not be `x_y`.')), 'Email must not be x y.')
  assert.equal(describe(message('ambiguous_match', null, null, 'Several.')), 'Matches several records')
})

test('a table of rows has the wrong columns and those that tell who it is', () => {
  const columns = ['Vorname', 'E-Mail', 'Firma', 'Ort', 'Land', 'Messetag', 'Notiz']
  const names = ['first_name', 'email', 'company', 'city', 'country', 'custom.fair_day', null]
  const mapping = columns.map((column, at) => ({ column, field: names[at]! }))
  const pick = (...rows: ImportRow[]) => pickColumns(columns, mapping, rows, errorsOf).map(({ name }) => name)

  assert.deepEqual(pick(row(2, wrongDay)), ['Vorname', 'E-Mail', 'Firma', 'Messetag'])
  assert.deepEqual(pick(row(2)), ['Vorname', 'E-Mail', 'Firma', 'Ort'])
})

const file = { created: 0, updated: 0, undone: 0, kept: 0, dry_run: null }
const counts = { created: 1, updated: 0, skipped: 0, failed: 0, warnings: 0 }
const dry_run = { ...counts, finished_at: '' }

test('an import opens at the step where it is, and every step before can be opened', () => {
  assert.deepEqual(listOpenSteps({ ...file, state: 'uploaded' }), ['file', 'columns', 'options'])
  assert.equal(currentStep({ ...file, state: 'uploaded' }, undefined), 'columns')
  assert.equal(currentStep({ ...file, state: 'uploaded' }, 'check'), 'columns')
  assert.equal(currentStep({ ...file, state: 'mapped', dry_run }, undefined), 'check')
  assert.equal(currentStep({ ...file, state: 'mapped', dry_run }, 'options'), 'options')
  assert.equal(currentStep({ ...file, state: 'running' }, 'columns'), 'import')
  assert.equal(currentStep({ ...file, state: 'completed', created: 3 }, 'columns'), 'import')
})

test('a failed import can be changed once nothing of it is left', () => {
  const failed = { ...file, state: 'failed' as const, created: 3, updated: 1 }

  assert.equal(countWritten(failed), 4)
  assert.equal(currentStep(failed, 'columns'), 'import')
  assert.equal(countWritten({ ...failed, undone: 3 }), 1)
  assert.equal(currentStep({ ...failed, state: 'undone', undone: 3, kept: 1 }, 'columns'), 'columns')
  assert.equal(currentStep({ ...file, state: 'cancelled' }, 'columns'), 'columns')
})

test('what went wrong is shown first', () => {
  assert.equal(firstOutcome({ ...counts, failed: 2 }), 'failed')
  assert.equal(firstOutcome({ ...counts, warnings: 9 }), 'created')
  assert.equal(firstOutcome({ ...counts, created: 0, skipped: 2 }), 'skipped')
})

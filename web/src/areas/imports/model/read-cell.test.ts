import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardOptions } from './draft.ts'
import type { ImportField } from './fields.ts'
import { readCell } from './read-cell.ts'
import { previewRow } from './row-preview.ts'
import type { Transform } from './types.ts'

const field = (name: string, kind: ImportField['kind'], more: Partial<ImportField> = {}): ImportField => ({
  name,
  label: name,
  group: 'Person',
  kind,
  isCustom: true,
  isUnique: false,
  ...more,
})
const read = (cell: string, kind: ImportField['kind'], transform?: Transform) =>
  readCell(cell, field('x', kind), { transform })

test('dates are read in the order of the transform, or in the one that they prove', () => {
  const dayOf = (cell: string, transform?: Transform) => {
    const date = read(cell, 'date', transform)
    return date?.kind === 'date' ? date.day : date?.kind
  }

  assert.equal(dayOf('24.11.2026'), '2026-11-24')
  assert.equal(dayOf('11/26/2026'), '2026-11-26')
  assert.equal(dayOf('3/4/2026'), 'problem')
  assert.equal(dayOf('3/4/2026', 'date:dmy'), '2026-04-03')
  assert.equal(dayOf('3/4/26', 'date:mdy'), '2026-03-04')
  assert.equal(dayOf('11/26/2026', 'date:dmy'), 'problem')
  assert.equal(dayOf('2026-02-30'), 'problem')
  assert.equal(dayOf('2026-03-01 09:30'), '2026-03-01')
  assert.equal(dayOf('soon'), 'problem')
  // The server reads words and numbers of days.
  assert.deepEqual([dayOf('1 March 2026'), dayOf('46000')], ['text', 'text'])
})

test('numbers are read with the separators of the transform', () => {
  const numberOf = (cell: string, transform?: Transform) => {
    const number = read(cell, 'number', transform)
    return number?.kind === 'number' ? number.value : number?.kind
  }

  assert.equal(numberOf('1.200', 'number:eu'), 1_200)
  assert.equal(numberOf('1.200'), 1.2)
  assert.equal(numberOf('1,200'), 1_200)
  assert.equal(numberOf('1.234,5', 'number:eu'), 1_234.5)
  assert.equal(numberOf('1,5'), 'problem')
  assert.equal(numberOf('-12'), -12)
  assert.equal(numberOf('many'), 'problem')
  assert.deepEqual(read('€ 1,250.00', 'number'), { kind: 'number', value: 1_250, unit: '€' })
})

test('lists are split, choices are found by key or label, and words are replaced', () => {
  const tier = field('tier', 'choice', { choices: [{ key: 'gold', label: 'Gold tier' }] })

  assert.deepEqual(read('a; b;a', 'list'), { kind: 'list', items: ['a', 'b'] })
  assert.deepEqual(read('a; b', 'list', 'split:,'), { kind: 'list', items: ['a; b'] })
  assert.deepEqual(read('a; b', 'list', 'none'), { kind: 'list', items: ['a; b'] })
  assert.deepEqual(readCell('GOLD', tier, {}), { kind: 'text', text: 'Gold tier' })
  assert.deepEqual(readCell('silver', tier, {}), { kind: 'problem', text: 'silver' })
  assert.deepEqual(readCell('silver', { ...tier, isCustom: false }, {}), { kind: 'text', text: 'silver' })
  assert.deepEqual(readCell('A', tier, { values: { a: 'gold' } }), { kind: 'text', text: 'Gold tier' })
  assert.deepEqual(read('A@B.example', 'text', 'lower'), { kind: 'text', text: 'a@b.example' })
  assert.equal(read('  ', 'text'), undefined)
})

test('a preview shows changed values with their cells, double values and those of the options', () => {
  const fields = [
    field('email', 'text'),
    field('last_name', 'text'),
    field('custom.day', 'date'),
    field('source', 'text'),
    field('tags', 'list'),
  ]
  const draft = {
    columns: [
      { column: 'A', field: 'email', transform: 'lower' as const },
      { column: 'B', field: 'last_name' },
      { column: 'C', field: 'custom.day' },
      { column: 'D', field: 'tags' },
      { column: 'E', field: null },
    ],
    options: { ...standardOptions, default_values: { source: 'fair', last_name: 'Unknown' } },
    confirmed: [],
  }
  const cells = ['M@X.example', 'Wagner', '24.11.2026', 'a;b', 'left out']

  const { fields: shown, values } = previewRow(cells, draft, fields)
  const doubled = previewRow(cells, { ...draft, columns: [...draft.columns, { column: 'F', field: 'email' }] }, fields)
  const twice = previewRow(
    [...cells, 'other@x.example'],
    { ...draft, columns: [...draft.columns, { column: 'F', field: 'email' }] },
    fields,
  )

  assert.deepEqual(
    shown.map(({ name, from, isFromOptions }) => [name, from, isFromOptions]),
    [
      ['email', 'M@X.example', false],
      ['last_name', undefined, false],
      ['custom.day', '24.11.2026', false],
      ['tags', undefined, false],
      ['source', undefined, true],
    ],
  )
  assert.deepEqual(
    [values.get('email'), values.get('custom.day'), values.get('source')],
    ['m@x.example', '2026-11-24', 'fair'],
  )
  assert.ok(doubled.values.has('email'), 'a blank cell is no second value')
  assert.equal(twice.fields[0]!.read, undefined)
})

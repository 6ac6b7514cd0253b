import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listColumns } from '../../../../src/modules/crm/exchange/record-columns/record-columns.rules.ts'
import { columnsOfList, listExportColumns } from './export-columns.ts'

test('every column of a file can be chosen, with a label', () => {
  for (const [type, objectType] of [
    ['leads', 'lead'],
    ['contacts', 'contact'],
    ['accounts', 'account'],
  ] as const) {
    const offered = listExportColumns(type, [])

    assert.deepEqual(offered.map(({ key }) => key).sort(), [...listColumns(objectType, [])].sort())
    assert.deepEqual(
      offered.filter(({ key, label }) => label === key),
      [],
    )
  }
})

test('custom fields come last, and the columns of a list are those of the file', () => {
  const offered = listExportColumns('leads', [{ key: 'tier', label: 'Tier' }])

  assert.deepEqual(offered.at(-1), { key: 'custom.tier', label: 'Tier', group: 'Own fields' })
  assert.deepEqual(columnsOfList(['name', 'owner', 'activity', 'unknown', 'name'], offered), [
    'name',
    'owner_name',
    'last_activity_at',
  ])
})

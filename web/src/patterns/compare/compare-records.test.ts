import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultChoice, listDifferences, toPreferences } from './compare-records.ts'

type Person = { name: string | null; city: string | null; phone: string | null }
const fields = (['name', 'city', 'phone'] as const).map((key) => ({
  key,
  label: key,
  textOf: (person: Person) => person[key],
}))
const ada = { name: 'Ada', city: null, phone: '1' }
const other = { name: 'Ada', city: 'Bonn', phone: '2' }

test('only fields that differ are compared, and an empty value is not kept', () => {
  const differences = listDifferences(fields, [ada, other])

  assert.deepEqual(
    differences.map((difference) => [difference.key, difference.values, defaultChoice(difference)]),
    [
      ['city', [null, 'Bonn'], 1],
      ['phone', ['1', '2'], 0],
    ],
  )
})

test('only choices that differ from what is kept anyway are sent', () => {
  const differences = listDifferences(fields, [ada, other])
  const preferencesOf = (choices: Record<string, 0 | 1>) => toPreferences(differences, choices, ['a', 'b'])

  assert.deepEqual(preferencesOf({}), {})
  assert.deepEqual(preferencesOf({ city: 1, phone: 0 }), {})
  assert.deepEqual(preferencesOf({ city: 0, phone: 1, name: 1 }), { city: 'a', phone: 'b' })
})

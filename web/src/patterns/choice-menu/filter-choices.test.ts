import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterChoices } from './filter-choices.ts'

const choices = [
  { id: null, label: 'Do not import', group: '' },
  { id: 'name', label: 'Name', group: 'Person' },
  { id: 'last_name', label: 'Last name', group: 'Person' },
  { id: 'street', label: 'Straße', group: 'Place' },
  { id: 'prenom', label: 'Prénom', group: 'Own' },
]
const find = (text: string) => filterChoices(choices, text).map(({ id }) => id)

test('a text narrows the choices down to those with all of its words', () => {
  assert.deepEqual(find(''), [null, 'name', 'last_name', 'street', 'prenom'])
  assert.deepEqual(find('na la'), ['last_name'])
  assert.deepEqual(find('zzz'), [])
})

test('choices that begin with the text come first in their group', () => {
  assert.deepEqual(
    filterChoices([choices[2]!, choices[1]!], 'name').map(({ id }) => id),
    ['name', 'last_name'],
  )
})

test('case and accents do not matter', () => {
  assert.deepEqual(find('PRENOM'), ['prenom'])
})

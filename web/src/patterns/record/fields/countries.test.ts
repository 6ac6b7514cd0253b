import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listCountries } from './countries.ts'

const labelOf = (code: string, locale = 'en', stored?: string) =>
  listCountries(locale, stored).find(({ value }) => value === code)?.label

test('countries have names in the language of the user, and only current codes', () => {
  assert.deepEqual([labelOf('DE'), labelOf('DE', 'de'), labelOf('XK')], ['Germany', 'Deutschland', 'Kosovo'])
  for (const code of ['DD', 'UK', 'EU', 'ZZ', 'QQ']) assert.equal(labelOf(code), undefined)
})

test('a stored code that is none of a country stays', () => {
  assert.equal(labelOf('QQ', 'en', 'QQ'), 'QQ')
})

test('countries are sorted by their names', () => {
  const labels = listCountries('de').map(({ label }) => label)

  assert.ok(labels.indexOf('Österreich') < labels.indexOf('Pakistan'))
  assert.equal(labels[0], 'Afghanistan')
})

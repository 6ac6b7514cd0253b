import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAccountValue, toAccountChanges } from './account-values.ts'

test('a part of the address is sent with the other parts, and own fields as one object', () => {
  const address = { line1: 'Main Street 1', city: 'Leeds', country: 'GB' }
  const changes = { name: 'Northgate', 'address.city': 'York', 'custom.region': 'north' }

  assert.deepEqual(toAccountChanges({ address }, changes), {
    name: 'Northgate',
    address: { line1: 'Main Street 1', city: 'York', country: 'GB' },
    custom: { region: 'north' },
  })
  assert.deepEqual(toAccountChanges({ address: null }, { 'address.city': null }), { address: { city: null } })
})

test('values are read by the name of their field', () => {
  const account = { name: 'Northgate', address: null, custom: { region: 'north' } } as unknown as Parameters<
    typeof readAccountValue
  >[0]

  assert.deepEqual(
    ['name', 'address.city', 'custom.region', 'custom.other', 'phone'].map((field) => readAccountValue(account, field)),
    ['Northgate', null, 'north', null, null],
  )
})

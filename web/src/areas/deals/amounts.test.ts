import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addMoney } from './amounts.ts'

test('sums keep the decimals of their currency', () => {
  const euros = (amount: string) => ({ amount, currency: 'EUR' })
  assert.deepEqual(addMoney(euros('0.10'), euros('0.20'), 1), euros('0.30'))
  assert.deepEqual(addMoney(euros('100.00'), euros('40.00'), -1), euros('60.00'))
  assert.deepEqual(addMoney(euros('100.00'), null, 1), euros('100.00'))
  assert.deepEqual(addMoney({ amount: '5', currency: 'JPY' }, { amount: '7', currency: 'JPY' }, 1).amount, '12')
})

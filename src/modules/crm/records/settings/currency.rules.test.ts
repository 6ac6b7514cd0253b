import assert from 'node:assert/strict'
import { test } from 'node:test'
import { convertMinor } from './crm-settings.rules.ts'

test('an amount is converted at its rate to minor units of the base currency', () => {
  assert.equal(convertMinor(10_000, 'USD', 'EUR', '0.92'), 9_200)
  assert.equal(convertMinor(1_000, 'JPY', 'EUR', '0.0061'), 610)
  assert.equal(convertMinor(1_000, 'EUR', 'JPY', '163.5'), 1_635)
  assert.equal(convertMinor(1_234, 'KWD', 'EUR', '3'), 370)
  assert.equal(convertMinor(-10_000, 'USD', 'EUR', '0.92'), -9_200)
  assert.equal(convertMinor(9_007_199_254_740_991, 'USD', 'EUR', '1'), 9_007_199_254_740_991)
})

test('halves are rounded away from zero', () => {
  assert.equal(convertMinor(1, 'USD', 'EUR', '0.5'), 1)
  assert.equal(convertMinor(1, 'USD', 'EUR', '0.499999999'), 0)
  assert.equal(convertMinor(-1, 'USD', 'EUR', '0.5'), -1)
  assert.equal(convertMinor(3, 'USD', 'EUR', '0.5'), 2)
})

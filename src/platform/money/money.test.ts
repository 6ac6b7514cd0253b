import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { currencyDigits, Money, toMinor, toMoney } from './index.ts'

const amount = (text: string, currency: string) => toMinor({ amount: text, currency }, currency, '/price')
const isWellFormed = Compile(Money)

test('amounts are parsed into minor units of their currency', () => {
  assert.equal(amount('1250.00', 'EUR'), 125_000)
  assert.equal(amount('1250', 'EUR'), 125_000)
  assert.equal(amount('0.5', 'EUR'), 50)
  assert.equal(amount('1250', 'JPY'), 1_250)
  assert.equal(amount('1.234', 'KWD'), 1_234)
  assert.equal(amount('-3.10', 'USD'), -310)
})

test('amounts are formatted with the digits of their currency', () => {
  assert.deepEqual(toMoney(125_000, 'EUR'), { amount: '1250.00', currency: 'EUR' })
  assert.deepEqual(toMoney(5, 'EUR'), { amount: '0.05', currency: 'EUR' })
  assert.deepEqual(toMoney(-5, 'EUR'), { amount: '-0.05', currency: 'EUR' })
  assert.deepEqual(toMoney(0, 'JPY'), { amount: '0', currency: 'JPY' })
  assert.deepEqual(toMoney(7, 'KWD'), { amount: '0.007', currency: 'KWD' })
})

test('totals above the safe integer range are formatted exactly', () => {
  assert.deepEqual(toMoney(27_021_597_764_222_973n, 'EUR'), { amount: '270215977642229.73', currency: 'EUR' })
  assert.deepEqual(toMoney(-5n, 'EUR'), { amount: '-0.05', currency: 'EUR' })
  assert.deepEqual(toMoney(0n, 'JPY'), { amount: '0', currency: 'JPY' })
})

test('amounts survive a format/parse round trip', () => {
  const currency = fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF')
  const minor = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })

  fc.assert(
    fc.property(minor, currency, (units, code) => {
      const money = toMoney(units, code)
      assert.ok(isWellFormed.Check(money), money.amount)
      assert.equal(toMinor(money, code, ''), units)
    }),
    { numRuns: 5_000 },
  )
})

test('negative zero is parsed as zero', () => {
  assert.ok(Object.is(amount('-0.00', 'EUR'), 0))
})

test('more decimals than the currency has are rejected, even zeros', () => {
  assert.throws(() => amount('1.005', 'EUR'), { status: 422, code: 'validation_failed' })
  assert.throws(() => amount('1.000', 'EUR'), { status: 422 })
  assert.throws(() => amount('1.0', 'JPY'), { status: 422 })
})

test('another currency and an amount above the safe integer range are rejected', () => {
  assert.throws(
    () => toMinor({ amount: '1', currency: 'USD' }, 'EUR', '/price'),
    (error: { extra: { errors: object[] } }) => {
      assert.partialDeepStrictEqual(error.extra.errors, [{ path: '/price/currency', code: 'currency' }])
      return true
    },
  )
  assert.throws(() => amount('9007199254740992', 'JPY'), { status: 422 })
  assert.equal(amount('9007199254740991', 'JPY'), Number.MAX_SAFE_INTEGER)
})

test('an amount has only one valid notation', () => {
  const invalidAmounts = ['', '.5', '5.', '01', '1e3', '+1', ' 1', '1,5', '٣', 'NaN', '1.0000000', '12345678901234567']

  assert.deepEqual(
    invalidAmounts.filter((text) => isWellFormed.Check({ amount: text, currency: 'EUR' })),
    [],
  )
})

test('currencies have the ISO 4217 number of digits', () => {
  assert.deepEqual(['EUR', 'JPY', 'BHD', 'IQD', 'UYW', 'CHF'].map(currencyDigits), [2, 0, 3, 3, 4, 2])
})

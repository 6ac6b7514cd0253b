import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAmount, toAmountText } from './amounts.ts'

test('amounts are read in the notation of the language', () => {
  assert.equal(parseAmount('54,000.50', 'en'), '54000.50')
  assert.equal(parseAmount('54.000,50', 'de'), '54000.50')
  assert.equal(parseAmount(' 1 250 ', 'en'), '1250')
  assert.equal(parseAmount('0', 'en'), '0')
  assert.equal(parseAmount('007', 'en'), '7')
})

test('an amount with a misplaced separator is not guessed', () => {
  for (const text of ['54,5', '1,2345', '1.2.3', '12x', '', '.5', '5.', '-3'])
    assert.equal(parseAmount(text, 'en'), undefined, text)
  assert.equal(parseAmount('54.5', 'de'), undefined)
})

test('an amount in a field is read back as the same amount', () => {
  for (const locale of ['en', 'de', 'fr', 'de-CH'])
    for (const amount of ['0', '54000', '12.50', '1234567.05'])
      assert.equal(parseAmount(toAmountText(amount, locale), locale), amount, `${amount} in ${locale}`)
  assert.equal(toAmountText('48000.00', 'en'), '48000')
  assert.equal(toAmountText(null, 'en'), '')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeDays, describeWindow } from './describe-window.ts'

test('neighboring days are joined', () => {
  assert.equal(
    describeWindow({ days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }, 'en-GB'),
    'Mon to Fri, 09:00 to 17:00',
  )
  assert.equal(describeDays([5, 1, 2, 3], 'en-GB'), 'Mon to Wed, Fri')
  assert.equal(describeDays([1, 2], 'en-GB'), 'Mon, Tue')
  assert.equal(describeDays([7, 6, 5, 4, 3, 2, 1], 'en-GB'), 'every day')
})

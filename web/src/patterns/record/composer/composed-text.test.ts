import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enterText, finishSendingText, returnText, startSendingText, unsavedText } from './composed-text.ts'

const sending = startSendingText({ typed: 'First note' })

test('a text leaves the field when it is sent, and what is typed since stays when it is saved', () => {
  const typing = enterText(sending, 'Second note')

  assert.equal(sending.typed, '')
  assert.equal(unsavedText(typing), 'First note\nSecond note')
  assert.deepEqual(finishSendingText(typing), { typed: 'Second note' })
})

test('a text that could not be sent returns before what was typed since', () => {
  assert.deepEqual(returnText(sending), { typed: 'First note' })
  assert.deepEqual(returnText(enterText(sending, 'Second note')), { typed: 'First note\nSecond note' })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insertStep, rejectSteps, startEdits } from '../steps/step-edits.ts'
import { newStepValues } from '../steps/step-model.ts'
import { nowIn, planFirstEmails } from './first-emails.ts'
import { listMissingParts } from './missing-parts.ts'

const window = { days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }
const plan = (weekday: number, time: string, people = 61) =>
  planFirstEmails({ people, dailyLimit: 40, window, now: { weekday, time } })

test('the emails of today are limited, and begin with the window', () => {
  assert.deepEqual(plan(2, '10:00'), { today: 40, later: 21 })
  assert.deepEqual(plan(2, '07:30'), { today: 40, later: 21, from: '09:00' })
  assert.deepEqual(plan(2, '10:00', 3), { today: 3, later: 0 })
})

test('nothing leaves on a day without a window or after its end', () => {
  assert.deepEqual(plan(6, '10:00'), { today: 0, later: 61, nextDay: 1 })
  assert.deepEqual(plan(5, '17:00'), { today: 0, later: 61, nextDay: 1 })
  assert.deepEqual(plan(3, '17:00'), { today: 0, later: 61, nextDay: 4 })
})

test('the day and the time are those of the zone', () => {
  const at = Date.parse('2026-11-22T23:30:00Z')

  assert.deepEqual(nowIn('UTC', at), { weekday: 7, time: '23:30' })
  assert.deepEqual(nowIn('Europe/Berlin', at), { weekday: 1, time: '00:30' })
})

test('what a cadence lacks is listed with its step', () => {
  const known = new Set(['first_name'])
  const missingIn = (
    edits: ReturnType<typeof startEdits>,
    addresses = { from_address: 'a@b.example', postal_address: 'B' },
  ) =>
    listMissingParts(edits, known, addresses).map((part) =>
      part.kind === 'step' ? [part.position, part.problem, part.value].filter(Boolean).join(' ') : part.kind,
    )
  const empty = startEdits({ version: 1, steps: [] })
  const call = insertStep(empty, 0, 'a', newStepValues('call', true))
  const email = insertStep(call, 1, 'b', newStepValues('email_auto', false))
  const unknown = insertStep(call, 1, 'b', {
    ...newStepValues('email_auto', false),
    subject_template: 'Hi {{ first_name }}',
    body_template: '{{ account.tier }}',
  })

  assert.deepEqual(missingIn(empty), ['steps'])
  assert.deepEqual(missingIn(call), [])
  assert.deepEqual(missingIn(email), ['2 subject', '2 text'])
  assert.deepEqual(missingIn(unknown), ['2 unknown account.tier'])
  assert.deepEqual(missingIn(rejectSteps(call, { a: 'The API rejects it.' })), ['1 unsaved'])
  assert.deepEqual(listMissingParts(call, undefined, { from_address: null, postal_address: null }), [
    { kind: 'from_address' },
    { kind: 'postal_address' },
  ])
  assert.deepEqual(listMissingParts(call, undefined, undefined), [])
})

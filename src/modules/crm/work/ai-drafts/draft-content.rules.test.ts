import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contextWith } from './assist.fixture.ts'
import { draftWarnings, fillPlaceholders, isUsableEmail } from './draft-content.rules.ts'

const refs = new Set(['company', 'a1'])
const names = { first_name: 'Ann', sender_name: 'Grace' }
const email = { subject: 'Hello', body_text: 'Hi {{first_name}},\n\nBye\n{{ sender_name }}', grounded_on: ['company'] }

test('placeholders are filled once, even if a name looks like a placeholder', () => {
  assert.deepEqual(fillPlaceholders(email, { ...names, first_name: '{{sender_name}} $&' }), {
    subject: 'Hello',
    body_text: 'Hi {{sender_name}} $&,\n\nBye\nGrace',
    grounded_on: ['company', 'first_name', 'owner'],
  })
  const long = fillPlaceholders(
    { ...email, subject: `${'x'.repeat(105)} {{first_name}}` },
    { first_name: 'Ann\nLee '.repeat(9) },
  )
  assert.equal(long.subject.length, 120)
  assert.doesNotMatch(long.subject, /\n/)
})

test('an email with unknown placeholders or references is not usable', () => {
  const isUsable = (change: object) => isUsableEmail({ ...email, ...change }, refs, names)

  assert.ok(isUsable({}))
  assert.ok(!isUsable({ body_text: 'Hi {{last_name}}' }))
  assert.ok(!isUsable({ body_text: 'Hi {{constructor}}' }))
  assert.ok(!isUsable({ body_text: 'Hi {{your name}}' }))
  assert.ok(!isUsable({ subject: 'For {{company' }))
  assert.ok(!isUsable({ grounded_on: ['revenue'] }))
})

test('warnings list what to check before sending', () => {
  const options = { language: 'en', instructions: '' }
  const warnings = (engine: 'model' | 'rules', body_text: string, change: object = {}) =>
    draftWarnings(contextWith({}), { ...options, ...change }, { engine, email: { ...email, body_text } })

  assert.deepEqual(warnings('rules', 'Hello. Bye'), [])
  for (const body of ['See https://x.example', 'www.x.example', 'a@x.example', 'Go to evil.example/pay now'])
    assert.deepEqual(warnings('model', body), ['contains_link'], body)
  assert.deepEqual(warnings('rules', '', { language: 'de', instructions: 'Rhyme.' }), [
    'english_only',
    'instructions_not_followed',
  ])
  assert.deepEqual(warnings('rules', '', { language: 'en-GB' }), [])
  assert.deepEqual(warnings('model', '', { language: 'de', instructions: 'Rhyme.' }), [])
  const unnamed = contextWith({ name: null }, { ownerName: null })
  assert.deepEqual(draftWarnings(unnamed, options, { engine: 'rules', email }), ['no_name', 'no_owner'])
})

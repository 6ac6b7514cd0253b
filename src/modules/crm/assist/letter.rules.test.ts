import assert from 'node:assert/strict'
import { test } from 'node:test'
import { materialWith } from './assist.fixture.ts'
import { fillNames, isUsable, warningsFor } from './letter.rules.ts'

const refs = new Set(['company', 'a1'])
const names = { first_name: 'Ann', sender_name: 'Grace' }
const letter = { subject: 'Hello', body_text: 'Hi {{first_name}},\n\nBye\n{{ sender_name }}', grounded_on: ['company'] }

test('names are put in by us, also such as look like a gap', () => {
  assert.deepEqual(fillNames(letter, { ...names, first_name: '{{sender_name}} $&' }), {
    subject: 'Hello',
    body_text: 'Hi {{sender_name}} $&,\n\nBye\nGrace',
    grounded_on: ['company', 'first_name', 'owner'],
  })
  const long = fillNames(
    { ...letter, subject: `${'x'.repeat(105)} {{first_name}}` },
    { first_name: 'Ann\nLee '.repeat(9) },
  )
  assert.equal(long.subject.length, 120)
  assert.doesNotMatch(long.subject, /\n/)
})

test('a draft with a gap that cannot be filled, or about what is not known, is of no use', () => {
  const usable = (change: object) => isUsable({ ...letter, ...change }, refs, names)

  assert.ok(usable({}))
  assert.ok(!usable({ body_text: 'Hi {{last_name}}' }))
  assert.ok(!usable({ body_text: 'Hi {{constructor}}' }))
  assert.ok(!usable({ body_text: 'Hi {{your name}}' }))
  assert.ok(!usable({ subject: 'For {{company' }))
  assert.ok(!usable({ grounded_on: ['revenue'] }))
})

test('who sends a draft is told what to look at', () => {
  const wish = { language: 'en', instructions: '' }
  const warnings = (engine: 'model' | 'rules', body_text: string, change: object = {}) =>
    warningsFor(materialWith({}), { ...wish, ...change }, { engine, letter: { ...letter, body_text } })

  assert.deepEqual(warnings('rules', 'Hello. Bye'), [])
  for (const body of ['See https://x.example', 'www.x.example', 'a@x.example', 'Go to evil.example/pay now'])
    assert.deepEqual(warnings('model', body), ['contains_link'], body)
  assert.deepEqual(warnings('rules', '', { language: 'de', instructions: 'Rhyme.' }), [
    'english_only',
    'instructions_not_followed',
  ])
  assert.deepEqual(warnings('rules', '', { language: 'en-GB' }), [])
  assert.deepEqual(warnings('model', '', { language: 'de', instructions: 'Rhyme.' }), [])
  const stranger = materialWith({ name: null }, { owner: null })
  assert.deepEqual(warningsFor(stranger, wish, { engine: 'rules', letter }), ['no_name', 'no_owner'])
})

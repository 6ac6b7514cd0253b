import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraseMentions, toMentionPattern } from '../../../../platform/erasure/mentions.ts'
import { customKeysToErase, toNames, toPhones } from './mentions.rules.ts'

const ann = { first_name: 'Ann', last_name: 'Lee' }
const pattern = toMentionPattern([...toNames(ann), 'ann@lee.example', '+1 (415) 555-0100'])

test('mentions of a person are erased from a text, whole words in any case', () => {
  assert.equal(
    eraseMentions('Renewal for ANN LEE, Joann Leeds and Lee, Ann', pattern),
    'Renewal for [erased], Joann Leeds and [erased]',
  )
  assert.equal(
    eraseMentions('Write to Ann@Lee.example or call +1 (415) 555-0100.', pattern),
    'Write to [erased] or call [erased].',
  )
  assert.equal(eraseMentions('Ann and Lee', pattern), 'Ann and Lee')
  assert.equal(eraseMentions(null, pattern), null)
  assert.equal(eraseMentions('Anyone', toMentionPattern([])), 'Anyone')
})

test('short single names, short numbers and the erased name identify no person', () => {
  assert.deepEqual(toNames({ first_name: null, last_name: 'Lee' }), [])
  assert.deepEqual(toNames({ first_name: null, last_name: 'Lovelace' }), ['Lovelace'])
  assert.deepEqual(toNames({ first_name: 'Erased', last_name: 'person' }), [])
  assert.deepEqual(toPhones(['2026-11', null, '030 901820']), ['030 901820'])
})

test('custom values are erased if their field is personal or if they mention the person', () => {
  const custom = { birthday: '1815-12-10', plan: 'pro', referrer: ['Ann Lee'] }

  assert.deepEqual(customKeysToErase(custom, ['birthday'], pattern), ['birthday', 'referrer'])
})

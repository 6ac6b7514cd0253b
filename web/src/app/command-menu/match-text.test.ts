import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesText, splitMatches } from './match-text.ts'

const show = (text: string, query: string) =>
  splitMatches(text, query)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('')

test('the beginnings of words are marked, not letters inside of them', () => {
  assert.equal(show('Meridian Logistics', 'mer'), '[Mer]idian Logistics')
  assert.equal(show('VP Sales, Meridian', 'mer sal'), 'VP [Sal]es, [Mer]idian')
  assert.equal(show('Summer campaign', 'mer'), 'Summer campaign')
  assert.equal(show('Summer of Mercury', 'mer'), 'Summer of [Mer]cury')
})

test('words that overlap are marked once, and the text stays complete', () => {
  assert.equal(show('Merge duplicates', 'mer merge'), '[Merge] duplicates')
  assert.equal(show('Ärger über Öl', 'ö'), 'Ärger über [Ö]l')
  assert.equal(show('İstanbul office', 'office'), 'İstanbul office')
  assert.equal(show('', 'x'), '')
})

test('a command matches if each word begins one of its words', () => {
  assert.ok(matchesText('Go to Leads', 'le go'))
  assert.ok(matchesText('Go to Leads', ''))
  assert.ok(!matchesText('Go to Leads', 'eads'))
})

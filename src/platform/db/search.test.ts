import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { searchText, searchWords, wordPatterns } from './search.ts'

test('text is searched without case, accents and doubled spaces', () => {
  assert.equal(
    searchText('  Zoë   ŁUKASZ ', null, 'Æsir', undefined, 'Straße', 'İstanbul'),
    'zoe lukasz aesir strasse istanbul',
  )
  assert.equal(searchText('ﬁnance', '２'), 'finance 2')
  assert.equal(searchText('김철수 मीना'), '김철수 मीना')
})

test('words are looked for once each, the longest first', () => {
  assert.deepEqual(searchWords('Ada  lovelace ADA de'), ['lovelace', 'ada', 'de'])
  assert.deepEqual(searchWords(' \u0301 '), [])
})

test('nothing in a word is a wildcard', () => {
  assert.deepEqual(wordPatterns('100%_\\x'), ['%100\\%\\_\\\\x%'])
})

test('every word of a text finds the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      const kept = searchText(text)
      for (const word of searchWords(text)) assert.ok(kept.includes(word), `${word} in ${kept}`)
    }),
    { numRuns: 2_000 },
  )
})

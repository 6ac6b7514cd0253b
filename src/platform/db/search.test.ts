import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toLikePatterns, toSearchText, toSearchWords } from './search.ts'

test('search text has no upper case, accents or repeated spaces', () => {
  assert.equal(
    toSearchText('  Zoë   ŁUKASZ ', null, 'Æsir', undefined, 'Straße', 'İstanbul'),
    'zoe lukasz aesir strasse istanbul',
  )
  assert.equal(toSearchText('ﬁnance', '２'), 'finance 2')
  assert.equal(toSearchText('김철수 मीना'), '김철수 मीना')
})

test('search words are distinct and sorted by length, longest first', () => {
  assert.deepEqual(toSearchWords('Ada  lovelace ADA de'), ['lovelace', 'ada', 'de'])
  assert.deepEqual(toSearchWords(' \u0301 '), [])
})

test('wildcards in a search word are escaped', () => {
  assert.deepEqual(toLikePatterns('100%_\\x'), ['%100\\%\\_\\\\x%'])
})

test('the search text of a text contains each of its search words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      const searchText = toSearchText(text)
      for (const word of toSearchWords(text)) assert.ok(searchText.includes(word), `${word} in ${searchText}`)
    }),
    { numRuns: 2_000 },
  )
})

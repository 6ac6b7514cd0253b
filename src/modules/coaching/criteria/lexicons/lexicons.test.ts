import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { canonicalJson } from '#platform/canonical-json'
import { lexiconNameOf, lexiconOf, lexicons } from './compile-lexicon.ts'
import { languages } from './lexicon.ts'
import { stemEnglish, stemFrench, stemGerman, stemIberian } from './stemming.rules.ts'

/** Changes with every word. Increase the version of the lexicon with its digest, because scores name the version. */
const digests: Record<string, string> = {
  'en-1': '16f16ea499eaf471',
  'de-1': 'bdfcd3ebdcab65bc',
  'fr-1': '761c7f9c316b4842',
  'es-1': 'a4cc7b33cc052f6e',
  'pt-1': '061b9ecada8c57ec',
}

test('a lexicon with other words has another version', () => {
  const found = Object.fromEntries(
    languages.map((language) => {
      const { stem: _, timePatterns, ...words } = lexicons[language]
      const content = canonicalJson({ ...words, timePatterns: timePatterns.map(({ source }) => source) })
      return [lexiconNameOf(lexiconOf(language)), createHash('sha256').update(content).digest('hex').slice(0, 16)]
    }),
  )

  assert.deepEqual(found, digests)
})

test('every list of a lexicon has words, and no phrase occurs twice', () => {
  for (const language of languages) {
    const { openStarters, openStartersWithMark, fillers, nextSteps, timePhrases, empathy, priceWords } =
      lexicons[language]
    const lists = {
      starters: [...openStarters, ...openStartersWithMark],
      fillers: fillers.map((filler) => (typeof filler === 'string' ? filler : filler.phrase)),
      nextSteps,
      timePhrases,
      empathy,
      priceWords,
    }
    for (const [name, phrases] of Object.entries(lists)) {
      assert.ok(phrases.length >= 6, `${language} ${name}`)
      assert.equal(new Set(phrases).size, phrases.length, `${language} ${name}`)
    }
  }
})

test('the language of a tag is used, and English for unknown ones', () => {
  const names = ['de', 'de-AT', 'PT-br', 'it', ''].map((tag) => lexiconNameOf(lexiconOf(tag)))

  assert.deepEqual(names, ['de-1', 'de-1', 'pt-1', 'en-1', 'en-1'])
})

test('inflected forms have the same stem', () => {
  const forms: [(word: string) => string, string[][]][] = [
    [
      stemEnglish,
      [
        ['price', 'prices', 'priced', 'pricing'],
        ['plan', 'plans', 'planned', 'planning'],
        ['company', 'companies'],
        ['box', 'boxes'],
        ['discount', 'discounts', 'discounted', 'discounting'],
        ['schedule', 'schedules', 'scheduled', 'scheduling'],
      ],
    ],
    [
      stemGerman,
      [
        ['preis', 'preise', 'preisen', 'preises'],
        ['schritt', 'schritte', 'schritten'],
        ['termin', 'termine', 'terminen'],
        ['budget', 'budgets'],
        ['nachste', 'nachster', 'nachsten'],
      ],
    ],
    [
      stemFrench,
      [
        ['prochain', 'prochaine', 'prochaines'],
        ['etape', 'etapes'],
        ['remise', 'remises'],
      ],
    ],
    [
      stemIberian,
      [
        ['proximo', 'proxima', 'proximos', 'proximas'],
        ['paso', 'pasos'],
        ['reunion', 'reuniones'],
        ['preco', 'precos'],
      ],
    ],
  ]

  for (const [stem, words] of forms)
    for (const group of words)
      assert.equal(new Set(group.map(stem)).size, 1, group.map((word) => `${word}: ${stem(word)}`).join(', '))
})

test('short and unrelated words keep their ending', () => {
  for (const word of ['this', 'his', 'business', 'bring', 'speed', 'need', 'us', 'status', 'bus'])
    assert.equal(stemEnglish(word), word)
})

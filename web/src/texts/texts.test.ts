// The translations of the texts, and texts that are not translated because they are outside of this folder.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lengthenTexts, marker } from './lengthen-texts.ts'

type Part = readonly [path: string, value: unknown]

const folder = import.meta.dirname
const modulesOf = (language: string) => globSync(`${language}/*-texts.ts`, { cwd: folder }).map((path) => path.slice(3))
const english = await import('./en/index.ts')
const german = await import('./de/index.ts')

const listParts = (texts: object, path = ''): Part[] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'object' ? listParts(value, `${path}${key}.`) : [[path + key, value]],
  )
const englishParts = listParts(english)
const germanParts = new Map(listParts(german))

type Describe = (...values: unknown[]) => unknown
const functions = englishParts
  .filter(([, value]) => typeof value === 'function')
  .map(([path, value]) => ({ path, inEnglish: value as Describe, inGerman: germanParts.get(path) as Describe }))

/** Texts that are the same word in both languages. */
const sameWords = new Set(
  (
    'Admin API Board Budget Coaching Community Deal Deals Esc Filter Import Lead Leads Link LinkedIn Manager MQL ' +
    'Name Navigation Nurturing Partner Person Pipeline Region Score Segment SQL Status Tag Tags Teams Tributary ' +
    'Webhooks Webinar Website'
  ).split(' '),
)

test('every module of texts is listed in the languages', async () => {
  const known = modulesOf('en')

  assert.ok(known.length > 20)
  for (const language of ['en', 'de']) {
    const listed = readFileSync(join(folder, language, 'index.ts'), 'utf8')
    assert.deepEqual(
      known.filter((path) => !listed.includes(`'./${path}'`)),
      [],
      `add these modules to web/src/texts/${language}/index.ts`,
    )
  }
})

test('German has a text of its own for every English one', () => {
  const same = englishParts.filter(([path, text]) => typeof text === 'string' && germanParts.get(path) === text)

  assert.ok(englishParts.length > 900, `${englishParts.length} texts`)
  assert.deepEqual(
    same.filter(([, text]) => !sameWords.has(text as string)),
    [],
    'translate these texts in web/src/texts/de, or add the word to `sameWords`',
  )
  const used = new Set(same.map(([, text]) => text))
  assert.deepEqual(
    [...sameWords].filter((word) => !used.has(word)),
    [],
  )
})

test('German distinguishes one from several where English does', () => {
  const describeCount = (describe: Describe, value: unknown) => {
    try {
      return String(describe(...Array(4).fill(value)))
    } catch {
      // A text of a number is called with a string as well, and the other way round.
      return ''
    }
  }
  const distinguishes = (describe: Describe, toValue: (count: number) => unknown) => {
    const [one, two] = [1, 2].map((count) => describeCount(describe, toValue(count)).replaceAll(`${count}`, '#'))
    return one !== two
  }
  const counted = functions.flatMap(({ path, inEnglish, inGerman }) =>
    [Number, String]
      .filter((toValue) => distinguishes(inEnglish, toValue))
      .map((toValue) => ({ path, isDistinguished: distinguishes(inGerman, toValue) })),
  )

  assert.ok(counted.length > 30, `${counted.length} texts with a number`)
  assert.deepEqual(
    counted.filter(({ isDistinguished }) => !isDistinguished),
    [],
  )
})

test('German contains the same values as English', () => {
  const values = ['⟦0⟧', '⟦1⟧', '⟦2⟧', '⟦3⟧']
  const find = (describe: Describe) => values.filter((value) => String(describe(...values)).includes(value))

  for (const { path, inEnglish, inGerman } of functions) assert.deepEqual(find(inGerman), find(inEnglish), path)
})

test('German has a text for every code of an English one', () => {
  const sources = modulesOf('en').map((path) => readFileSync(join(folder, 'en', path), 'utf8'))
  const codes = new Set(
    sources.flatMap((source) => [...source.matchAll(/^ +'?([\w-]+)'?: /gm)].map(([, code]) => code!)),
  )
  const listCodes = (describe: Describe) =>
    [...codes].filter((code) => describe(code) !== describe('unknown')?.toString().replace('unknown', code))
  const chosen = functions.filter(({ inEnglish }) => inEnglish.length === 1 && !`${inEnglish('…')}`.includes('…'))
  const withCodes = chosen.filter(({ inEnglish }) => listCodes(inEnglish).length > 0)

  assert.ok(withCodes.length > 5, `${withCodes.length} texts of codes`)
  for (const { path, inEnglish, inGerman } of withCodes) {
    assert.deepEqual(listCodes(inGerman), listCodes(inEnglish), path)
    for (const code of listCodes(inEnglish)) assert.notEqual(inGerman(code), inEnglish(code), `${path} ${code}`)
  }
})

test('the test language makes words longer and keeps names', () => {
  const texts = lengthenTexts({
    save: 'Save it',
    parts: { of: (name: string, count: number) => `${count} of ${name}` },
  })
  const [save, of] = [texts.save, texts.parts.of('of Kim', 3)]

  assert.equal(save, `Save${marker}${marker} it${marker}`)
  assert.equal(of, `3 of${marker} of Kim`)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { password, waitForValue, waitUntil } from '#testing'
import * as german from '../../../web/src/texts/de/index.ts'
import * as english from '../../../web/src/texts/en/index.ts'
import { lengthen, marker } from '../../../web/src/texts/lengthen-texts.ts'
import { selectScreens } from '../../nightly/screen-sample.ts'
import { follow, neutral, waitForText } from '../check-page.ts'
import { findCutParts, findCutTexts } from '../page-layout.ts'
import { createRecords } from '../screen-records.ts'
import { pathOf, screens } from '../screens.ts'
import { startWeb, waitForShell } from '../web-pages.ts'

const { tenant, openSignedIn } = await startWeb()
const [acme, other] = [await tenant(), await tenant()]
const records = await createRecords(acme)
const sampled = selectScreens(screens).filter(({ user, filled }) => filled && user === undefined)

/** The texts that are no functions, by their path. German can have more of them. */
const listStrings = (texts: object, path = ''): [path: string, text: string][] =>
  Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${path}${key}`, value]]
      : typeof value === 'object'
        ? listStrings(value, `${path}${key}.`)
        : [],
  )

const [englishTexts, germanTexts] = [listStrings(english), new Map(listStrings(german))]
const germanStrings = [...germanTexts.values()]
const findEnglish = (text: string) => englishTexts.find(([, one]) => one.startsWith(text))

/** Texts of screens that contain a number or a name, or with which a longer one begins. */
const germanSentences: Readonly<Record<string, string>> = {
  'Step 1 of 2': german.enrollmentTexts.step(1, 2),
  Merge: german.recordTexts.duplicates.merge,
  'No deleted deals': german.trashTexts.empty(german.trashTexts.kinds.opportunity),
  'Row 1 becomes': german.importColumnTexts.rowBecomes('1'),
  '2 leads are in': german.importRunTexts.done.leads(2, '2'),
  'Stopped: more than half of the rows failed': german.importRunTexts.failedTitle('too_many_failures'),
  'people are signed in': 'Personen sind angemeldet',
  'Rooms has no screen yet': german.laterAreaTexts.title(german.laterAreaTexts.areas.rooms),
}

/** Data of a screen instead of its text, which contains the label of a field. */
const dataOfScreens: Readonly<Record<string, string>> = { 'Email is not an email address': 'checked-leads.csv' }

/** A text of a screen in German. Names of records are the same in each language. */
const toGerman = (text: string): string =>
  dataOfScreens[text] ?? germanSentences[text] ?? germanTexts.get(findEnglish(text)?.[0] ?? '') ?? text

const isEnglishText = (text: string): boolean => text in germanSentences || findEnglish(text) !== undefined
const toLong = (text: string): string => dataOfScreens[text] ?? (isEnglishText(text) ? lengthen(text) : text)

async function checkScreens(page: Page, translate: (text: string) => string, texts: readonly string[], mark?: string) {
  const found: string[] = []
  for (const screen of sampled) {
    await follow(page, pathOf(screen, records), translate(neutral.text))
    await waitForText(page, translate(screen.filled!))
    await waitUntil(async () => (await page.locator('main [aria-busy=true]').count()) === 0)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      const findCut = async () => [...(await findCutParts(page)), ...(await findCutTexts(page, texts, mark))]
      // Lists and panels follow the width after they have been drawn once.
      const cut = await waitForValue(findCut, ({ length }) => length === 0, 3).catch(findCut)
      found.push(...cut.map((part) => `${screen.name} at ${width} px, ${part}`))
    }
  }
  return found
}

const desktop = { viewport: { width: 1440, height: 900 }, path: neutral.path }

test('words that are 40 % longer than the English ones fit every screen', async () => {
  const { page, errors } = await openSignedIn(acme, acme.admin, desktop)
  await page.evaluate(`localStorage.setItem('language', 'long')`)
  await page.reload()
  await waitForText(page, lengthen(neutral.text))

  const found = await checkScreens(page, toLong, [], marker)

  assert.deepEqual(found, [])
  assert.deepEqual(errors, [])
})

test('German words fit every screen', async () => {
  await acme.admin.patch('/api/auth/profile', { locale: 'de' })
  const { page, errors } = await openSignedIn(acme, acme.admin, desktop)
  await waitForText(page, toGerman(neutral.text))

  const found = await checkScreens(page, toGerman, germanStrings)

  assert.deepEqual(found, [])
  assert.deepEqual(errors, [])
})

const languageOf = (page: Page) => page.locator('html').getAttribute('lang')
const startOf = (page: Page) => page.evaluate(`performance.getEntriesByType('navigation')[0].type`)

test('the texts follow the language of the profile, in a browser that has shown another one, too', async () => {
  await other.member.patch('/api/auth/profile', { locale: 'de-AT' })
  const { page, errors } = await openSignedIn(other, other.member, { path: '/leads?view=all' })

  await waitForText(page, german.leadListTexts.empty.title)
  const atFirst = [await languageOf(page), await startOf(page)]
  await other.member.patch('/api/auth/profile', { locale: 'fr' })
  await page.goto(page.url().replace('/leads?view=all', '/inbox'))
  await waitForText(page, english.inboxTexts.empty)

  assert.deepEqual(atFirst, ['de', 'navigate'])
  assert.deepEqual([await languageOf(page), await startOf(page)], ['en', 'reload'])
  assert.deepEqual(errors, [])
})

test('a user changes the language and loses nothing that was typed', async () => {
  const { page, errors } = await openSignedIn(other, other.viewer, { path: '/settings/profile' })

  await page.getByLabel('Language').selectOption('de')
  await page.getByLabel('Current password').fill(password)
  await page.getByRole('button', { name: 'Save profile' }).click()
  await page.getByText(english.profileTexts.languageLater).waitFor()
  const typed = await page.getByLabel('Current password').inputValue()
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('button', { name: german.profileTexts.save }).waitFor()
  const { body } = await other.viewer.get('/api/auth/me')
  await page.getByLabel('Sprache').selectOption('en-GB')
  await page.getByRole('button', { name: german.profileTexts.save }).click()
  await page.getByRole('button', { name: 'Save profile' }).waitFor()
  await waitForShell(page)

  assert.equal(typed, password)
  assert.equal(body.locale, 'de')
  assert.deepEqual(errors, [])
})

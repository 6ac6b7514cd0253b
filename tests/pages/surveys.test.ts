import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { respondUrl, surveyActions } from '../../src/modules/surveys/surveys.fixture.ts'
import { startPages } from './browser-pages.ts'
import { assertReadable as assertReadablePage } from './readable.ts'
import {
  allTypes,
  answerByKeyboard,
  answerByPointer,
  expectedAnswers,
  submitByKeyboard,
  unhappy,
} from './survey-answers.ts'

const app = await startPages()
const { originOf, openBrowser } = app
const acme = await app.tenant()
const desktop = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 375, height: 667 }, isMobile: true, hasTouch: true }
await acme.admin.patch('/api/admin/settings', { branding: { primary_color: '#f26b1d' } })

const { createSurvey, createLink, invite } = surveyActions(app, acme)
const pageOf = (token: string) => `${originOf(acme)}/s/${token}`

async function createOpenSurvey(questions: object[] = allTypes, fields: object = {}) {
  const survey = await createSurvey({
    name: 'Your experience',
    thank_you: 'We read every answer.',
    questions,
    ...fields,
  })
  return { ...survey, page: pageOf(await createLink(survey)) }
}

async function readAnswers(url: string): Promise<Record<string, unknown>[]> {
  const { body } = await acme.member.get(`${url}/responses`)
  return body.items.map(({ answers }: { answers: { key: string; value: unknown }[] }) =>
    Object.fromEntries(answers.filter(({ value }) => value !== null).map(({ key, value }) => [key, value])),
  )
}

async function assertReadable(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready')
  await assertReadablePage(page, `surveys/${name}`, { isOtherView: name.startsWith('phone-dark') })
}

const headingOf = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()
const submit = (page: Page) => page.getByRole('button', { name: /^(Next|Send answers)$/ }).click()

type Device = { name: string; options: BrowserContextOptions }

/** Opens a survey and collects violations of the content security policy. */
async function openSurvey(url: string, options: BrowserContextOptions) {
  const { open, errors } = await openBrowser({ locale: 'en-US', ...options })
  const page = await open(url)
  page.setDefaultTimeout(10_000)
  return { page, errors }
}

const devices: Device[] = [
  { name: 'desktop-light', options: { ...desktop, colorScheme: 'light' } },
  { name: 'phone-dark', options: { ...phone, colorScheme: 'dark' } },
]

for (const { name, options } of devices)
  test(`a respondent answers all types of questions on a ${name.replace('-', ' in the ')} theme`, async () => {
    const survey = await createOpenSurvey()
    const { page, errors } = await openSurvey(survey.page, options)

    for (const { key, title } of allTypes) {
      await page.getByRole('heading', { name: title }).waitFor()
      await answerByPointer[key]!(page)
      await assertReadable(page, `${name}-${key}`)
      await submit(page)
    }
    await page.getByRole('heading', { name: 'Thank you, your answers are saved' }).waitFor()

    await assertReadable(page, `${name}-thanks`)
    assert.ok(await page.getByText('We read every answer.').isVisible())
    assert.deepEqual(await readAnswers(survey.url), [expectedAnswers])
    assert.deepEqual(errors, [])
  })

test('a respondent answers the whole survey with the keyboard and without JavaScript', async () => {
  const survey = await createOpenSurvey()
  const { page } = await openSurvey(survey.page, { ...desktop, javaScriptEnabled: false })

  for (const { key, title } of allTypes) {
    await page.getByRole('heading', { name: title }).waitFor()
    await answerByKeyboard[key]!(page)
    await submitByKeyboard(page)
  }
  await page.getByRole('heading', { name: 'Thank you, your answers are saved' }).waitFor()

  assert.deepEqual(await readAnswers(survey.url), [expectedAnswers])
})

const branching = [
  { key: 'score', question_type: 'nps', title: 'Recommend us?', required: true, is_primary: true },
  { key: 'problem', question_type: 'short_text', title: 'What went wrong?', required: true, show_if: unhappy },
  { key: 'praise', question_type: 'short_text', title: 'What went well?' },
]

test('an answer decides which question follows, and going back changes the path', async () => {
  const survey = await createOpenSurvey(branching)
  const { page } = await openSurvey(`${survey.page}?score=2`, { ...desktop, javaScriptEnabled: false })

  const preselected = await page.getByRole('radio', { name: '2', exact: true }).isChecked()
  await submit(page)
  const afterLowScore = await headingOf(page)
  await page.getByRole('textbox').fill('Late delivery')
  await page.getByRole('button', { name: 'Back' }).click()
  const kept = await page.getByRole('radio', { name: '2', exact: true }).isChecked()
  await page.getByRole('radio', { name: '9', exact: true }).check()
  await submit(page)
  const afterHighScore = await headingOf(page)
  await submit(page)

  assert.deepEqual([preselected, kept], [true, true])
  assert.deepEqual([afterLowScore, afterHighScore], ['What went wrong?', 'What went well?'])
  assert.equal(await headingOf(page), 'Thank you, your answers are saved')
  assert.deepEqual(await readAnswers(survey.url), [{ score: 9 }])
})

for (const { name, options } of devices)
  test(`a missing answer is explained on a ${name.replace('-', ' in the ')} theme, and the input is kept`, async () => {
    const survey = await createOpenSurvey(allTypes.filter(({ key }) => ['score', 'parts', 'robots'].includes(key)))
    const { page } = await openSurvey(survey.page, options)

    const response = await Promise.all([page.waitForNavigation(), submit(page)])
    const title = await page.title()
    await assertReadable(page, `${name}-error`)
    await page.getByRole('link', { name: 'Choose a number from 0 to 10.' }).click()
    const focused = await page.evaluate('document.activeElement.id')
    await answerByPointer.score!(page)
    await submit(page)
    await page.getByRole('group', { name: 'Setup' }).getByRole('radio').nth(1).check()
    await submit(page)
    await page.getByRole('link', { name: 'Rate “Support”' }).waitFor()
    await assertReadable(page, `${name}-matrix-error`)
    const isKept = await page.getByRole('group', { name: 'Setup' }).getByRole('radio').nth(1).isChecked()
    await page.getByRole('group', { name: 'Support' }).getByRole('radio').nth(1).check()
    await submit(page)
    await page.getByRole('textbox').fill('many')
    await submit(page)
    const input = page.getByRole('textbox')

    assert.equal(response[0]?.status(), 422)
    assert.match(title, /^Error: Your experience – /)
    assert.equal(focused, 'score-0')
    assert.equal(isKept, true)
    assert.deepEqual([await input.inputValue(), await input.getAttribute('aria-invalid')], ['many', 'true'])
    assert.deepEqual(await readAnswers(survey.url), [])
  })

test('a page explains why there is nothing to answer', async () => {
  const [closed, paused, anonymous, answered] = await Promise.all([
    createOpenSurvey(branching, { closed_message: 'It ended on Friday.' }),
    createOpenSurvey(branching),
    createOpenSurvey(branching, { anonymous: true }),
    createSurvey({ questions: branching }),
  ])
  const past = new Date(app.clock.now().getTime() - 1_000)
  const [invitation, expired] = await Promise.all([invite(answered.id), invite(answered.id, { expires_at: past })])
  await acme.member.patch(closed.url, { status: 'closed' })
  await acme.member.patch(paused.url, { status: 'paused' })
  const response = await acme.anonymous.post(respondUrl(invitation.token), { answers: { score: 9 } })
  assert.equal(response.status, 201, response.text)
  const expected: [name: string, url: string, status: number, heading: string, text: string][] = [
    ['closed', closed.page, 410, 'This survey is closed', 'It ended on Friday.'],
    ['expired', pageOf(expired.token), 410, 'This link has expired', 'Ask the sender'],
    ['paused', paused.page, 409, 'This survey is paused', 'Try again later.'],
    ['answered', pageOf(invitation.token), 200, 'You have already answered', 'Your answers were saved.'],
    ['unknown', pageOf('x'.repeat(43)), 404, 'This link does not work', 'ask the sender'],
    ['anonymous', anonymous.page, 200, 'Recommend us?', 'Your answers are anonymous.'],
  ]

  for (const { name: device, options } of devices) {
    const { page, errors } = await openSurvey(closed.page, options)
    for (const [name, url, status, heading, text] of expected) {
      const opened = await page.goto(url)
      assert.deepEqual([opened?.status(), await headingOf(page)], [status, heading], name)
      assert.ok(await page.getByText(text).isVisible(), name)
      await assertReadable(page, `${device}-${name}`)
    }
    assert.deepEqual(errors, [])
  }
})

test('a personal page is in the language of the invitation and can be sent once', async () => {
  const survey = await createSurvey({
    languages: ['en', 'de'],
    questions: [{ ...branching[0], title: { en: 'Recommend us?', de: 'Empfehlen Sie uns?' } }],
  })
  const { token } = await invite(survey.id, { language: 'de' })
  const { page } = await openSurvey(pageOf(token), phone)
  const [language, footer] = [await page.getAttribute('html', 'lang'), await page.locator('footer').textContent()]
  await assertReadable(page, 'phone-german')
  const otherTab = await page.context().newPage()
  await otherTab.goto(pageOf(token))

  await page.getByRole('radio', { name: '10', exact: true }).check()
  await page.getByRole('button', { name: 'Antworten senden' }).click()
  const thanks = await headingOf(page)
  await otherTab.getByRole('radio', { name: '1', exact: true }).check()
  await otherTab.getByRole('button', { name: 'Antworten senden' }).click()

  assert.equal(language, 'de')
  assert.match(footer!, /mit Ihrem Namen/)
  assert.equal(thanks, 'Danke, Ihre Antworten sind gespeichert')
  assert.equal(await headingOf(otherTab), 'Sie haben schon geantwortet')
  assert.deepEqual(await readAnswers(survey.url), [{ score: 10 }])
})

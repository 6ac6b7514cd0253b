import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSurveysApp } from '../../surveys.fixture.ts'

const { acme, clock, tenant, createSurvey, createLink, invite } = await startSurveysApp()
const other = await tenant()
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const options = ['red', 'green', 'blue'].map((key) => ({ key, label: key }))
const questions = [
  { key: 'score', question_type: 'nps', title: 'Recommend us?', required: true, is_primary: true },
  { key: 'color', question_type: 'single_choice', title: 'Which color?', options },
]

async function openByLink(fields: object = {}) {
  const survey = await createSurvey({ questions, ...fields })
  const url = `/s/${await createLink(survey)}`
  return { survey, url, page: await acme.anonymous.get(url) }
}

const post = (url: string, fields: Record<string, string>, from = acme.anonymous) =>
  from.post(url, new URLSearchParams(fields).toString(), form)

/** Reads the hidden fields of a page, as a browser sends them. */
const hiddenFields = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name, value]) => [
      name!,
      value!.replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    ]),
  )
const headingOf = (html: string) => /<h1[^>]*>(?:<label[^>]*>)?([^<]+)/.exec(html)?.[1]
const listResponses = async ({ url }: { url: string }) => (await acme.member.get(`${url}/responses`)).body.items

test('a page changes nothing until its last question is sent, and sending it again changes nothing more', async () => {
  const { survey, url, page } = await openByLink()
  const second = await post(url, { ...hiddenFields(page.text), 'a.score': '9' })
  const beforeLast = await listResponses(survey)
  const last = { ...hiddenFields(second.text), 'a.color': 'green' }

  const results = await Promise.all([post(url, last), post(url, last), post(url, last)])
  const repeated = await post(url, last)

  assert.deepEqual([page.status, headingOf(page.text), headingOf(second.text)], [200, 'Recommend us?', 'Which color?'])
  assert.equal(beforeLast.length, 0)
  for (const { status, text } of [...results, repeated])
    assert.deepEqual([status, headingOf(text)], [200, 'Thank you, your answers are saved'])
  const responses = await listResponses(survey)
  assert.equal(responses.length, 1)
  assert.deepEqual(
    responses[0].answers.map(({ value }: { value: unknown }) => value),
    [9, 'green'],
  )
})

test('another answer with the same submission is rejected', async () => {
  const { survey, url, page } = await openByLink()
  const last = { ...hiddenFields(page.text), step: 'color', 'former.score': '9' }
  await post(url, { ...last, 'a.color': 'green' })

  const changed = await post(url, { ...last, 'a.color': 'red' })
  const newRespondent = await post(url, {
    ...hiddenFields((await acme.anonymous.get(url)).text),
    step: 'color',
    'former.score': '3',
  })

  assert.deepEqual([changed.status, headingOf(changed.text)], [409, 'You have already answered'])
  assert.equal(newRespondent.status, 200)
  assert.equal((await listResponses(survey)).length, 2)
})

test('manipulated fields lead to the question that has no valid answer', async () => {
  const { survey, url, page } = await openByLink()
  const fields = hiddenFields(page.text)
  const manipulated: Record<string, string>[] = [
    { step: 'color' },
    { step: 'color', 'former.score': '11' },
    { step: 'color', 'former.score': '{"__proto__":1}' },
    { step: 'color', 'former.score': 'not json' },
    { step: '__proto__', 'former.__proto__': '1' },
    { 'former.score': '[]', 'a.constructor': 'x' },
  ]

  for (const extra of manipulated) {
    const { status, text } = await post(url, { ...fields, ...extra })
    assert.deepEqual([status, headingOf(text)], [extra.step === '__proto__' ? 200 : 422, 'Recommend us?'])
  }
  assert.equal((await listResponses(survey)).length, 0)
})

test('a survey that changes while it is answered is shown as it is now', async () => {
  const { survey, url, page } = await openByLink()
  const second = await post(url, { ...hiddenFields(page.text), 'a.score': '9' })
  const { id } = survey.questions.find(({ key }) => key === 'color')!
  const changed = await acme.member.patch(`${survey.url}/questions/${id}`, { options: options.slice(0, 2) })
  assert.equal(changed.status, 200, changed.text)

  const rejected = await post(url, { ...hiddenFields(second.text), 'a.color': 'blue' })
  await acme.member.patch(survey.url, { status: 'paused' })
  const paused = await post(url, { ...hiddenFields(second.text), 'a.color': 'red' })
  await acme.member.patch(survey.url, { status: 'closed' })
  const closed = await post(url, { ...hiddenFields(second.text), 'a.color': 'red' })

  assert.deepEqual([rejected.status, headingOf(rejected.text)], [422, 'Which color?'])
  assert.match(rejected.text, /Choose an answer\./)
  assert.doesNotMatch(rejected.text, /value="blue"/)
  assert.deepEqual([paused.status, headingOf(paused.text)], [409, 'This survey is paused'])
  assert.deepEqual([closed.status, headingOf(closed.text)], [410, 'This survey is closed'])
  assert.equal((await listResponses(survey)).length, 0)
})

test('a link does not work in another workspace, and an expired one shows nothing of the survey', async () => {
  const { url } = await openByLink()
  const survey = await createSurvey({ questions })
  const past = new Date(clock.now().getTime() - 1_000)
  const { token } = await invite(survey.id, { expires_at: past })

  const foreign = [await other.anonymous.get(url), await post(url, { step: 'score' }, other.anonymous)]
  const expired = [await acme.anonymous.get(`/s/${token}`), await post(`/s/${token}`, { step: 'score' })]

  for (const { status, text } of foreign) assert.deepEqual([status, headingOf(text)], [404, 'This link does not work'])
  for (const { status, text } of expired) {
    assert.deepEqual([status, headingOf(text)], [410, 'This link has expired'])
    assert.doesNotMatch(text, /Recommend us/)
  }
})

test('the score of a link is selected but not saved', async () => {
  const { survey, url } = await openByLink()

  const selected = await acme.anonymous.get(`${url}?score=7&utm_source=mail`)
  const ignored = await Promise.all(['11', 'x', '-1'].map((score) => acme.anonymous.get(`${url}?score=${score}`)))
  const next = await post(`${url}?score=7`, { ...hiddenFields(selected.text), 'a.score': '2' })
  const back = await post(`${url}?score=7`, { ...hiddenFields(next.text), back: '1' })

  const checkedIn = (html: string) => [...html.matchAll(/value="(\d+)"[^>]* checked/g)].map(([, value]) => value)
  assert.deepEqual(checkedIn(selected.text), ['7'])
  assert.deepEqual(
    ignored.flatMap(({ text }) => checkedIn(text)),
    [],
  )
  assert.match(selected.text, /action="\/s\/[\w-]+\?score=7"/)
  assert.deepEqual(checkedIn(back.text), ['2'])
  assert.equal((await listResponses(survey)).length, 0)
})

test('an anonymous survey accepts one response per invitation', async () => {
  const survey = await createSurvey({ questions, anonymous: true, partial_save: false })
  const { token } = await invite(survey.id)
  const page = await acme.anonymous.get(`/s/${token}`)
  const last = { ...hiddenFields(page.text), step: 'color', 'former.score': '9' }

  const sent = await post(`/s/${token}`, last)
  const repeated = await post(`/s/${token}`, last)

  assert.match(page.text, /Your answers are anonymous\. Recipients of this survey: at least 1\./)
  assert.deepEqual(Object.keys(hiddenFields(page.text)).toSorted(), ['started_at', 'step'])
  assert.deepEqual([sent.status, headingOf(sent.text)], [200, 'Thank you, your answers are saved'])
  assert.deepEqual([repeated.status, headingOf(repeated.text)], [409, 'You have already answered'])
})

test('a page is not stored by caches, not found by search engines and loads nothing from other hosts', async () => {
  const { page } = await openByLink()

  assert.partialDeepStrictEqual(page.headers, {
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'x-frame-options': 'SAMEORIGIN',
  })
  assert.match(page.headers['content-security-policy'], /default-src 'none'.*form-action 'self'/)
  assert.doesNotMatch(page.text, /https?:|<script| style="/)
})

test('a form with too many or too long fields is rejected', async () => {
  const { url, page } = await openByLink()
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`a.${at}`, '1']))

  const statuses = [
    (await post(url, many)).status,
    (await post(url, { ...hiddenFields(page.text), 'a.score': '1'.repeat(40_001) })).status,
    (await post(url, { 'a.score': '1'.repeat(1_100_000) })).status,
  ]

  assert.deepEqual(statuses, [422, 422, 413])
})

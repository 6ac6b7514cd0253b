import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startSurveysApp } from '../../surveys.fixture.ts'

const { acme, createSurvey, createLink, respondByLink } = await startSurveysApp()
const { member } = acme

type Survey = { url: string; questions: { id: string; key: string }[] }
const urlOf = ({ url, questions }: Survey, key: string) =>
  `${url}/questions/${questions.find((question) => question.key === key)!.id}`
const problemsOf = ({ body }: { body: { errors: { path: string; code: string }[] } }) =>
  body.errors.map(({ path, code }) => `${path} ${code}`)
const readQuestions = async ({ url }: { url: string }) =>
  (await member.get(url)).body.questions as { key: string; position: number; revision: number }[]
const keysOf = async (survey: { url: string }) => (await readQuestions(survey)).map(({ key }) => key)

test('a question is inserted at its position, gets a key, and counts a version of the survey', async () => {
  const survey = await createSurvey({ status: 'draft' })
  const add = (fields: object) => member.post(`${survey.url}/questions`, { question_type: 'number', ...fields })

  const first = await add({ title: 'How many?', position: 1, rules: { min: 0, decimals: 2 } })
  const last = await add({ title: 'And now?' })

  assert.deepEqual([first.status, first.body.key, first.body.position], [201, 'q1', 1])
  assert.deepEqual(first.body.rules, { min: 0, max: null, decimals: 2 })
  assert.deepEqual([last.body.key, last.body.position], ['q2', 4])
  assert.deepEqual(await keysOf(survey), ['q1', 'score', 'reason', 'q2'])
  assert.equal((await member.get(survey.url)).body.version, 3)
  assert.deepEqual(problemsOf(await add({ title: 'Again', key: 'q1' })), ['/key unique'])
  assert.equal((await add({ title: 'Again', key: 'Bad key' })).status, 422)
  assert.equal((await add({ question_type: 'number' })).status, 422)
})

test('engagement-1-12 conditions look back, and a question that one names cannot be deleted', async () => {
  const survey = await createSurvey({ status: 'draft' })
  const later = { question: 'reason', op: 'answered' }
  const reason = urlOf(survey, 'reason')

  assert.deepEqual(problemsOf(await member.patch(urlOf(survey, 'score'), { show_if: later })), [
    '/show_if/question unknown_question',
  ])
  const shown = await member.patch(reason, { show_if: { question: 'score', op: 'lte', value: 6 } })
  assert.deepEqual([shown.status, shown.body.show_if.op], [200, 'lte'])
  const refused = await member.delete(urlOf(survey, 'score'))
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.referenced_by],
    [409, 'question_referenced', ['reason']],
  )
  const ids = survey.questions.map(({ id }) => id)
  const reorder = (question_ids: string[]) => member.post(`${survey.url}/questions/reorder`, { question_ids })
  assert.deepEqual(problemsOf(await reorder(ids.toReversed())), ['/question_ids/0/show_if/question unknown_question'])
  assert.deepEqual(problemsOf(await member.patch(reason, { position: 1 })), ['/show_if/question unknown_question'])
  assert.deepEqual(problemsOf(await member.patch(urlOf(survey, 'score'), { position: 2 })), [' invalid_question'])
  for (const wrong of [[ids[0]!], [...ids, newId()], [ids[0]!, newId()]])
    assert.deepEqual(problemsOf(await reorder(wrong)), ['/question_ids incomplete'])

  await member.patch(reason, { show_if: null })
  const reordered = await reorder(ids.toReversed())
  assert.deepEqual([reordered.status, reordered.body.total], [200, 2])
  assert.deepEqual(await keysOf(survey), ['reason', 'score'])
  assert.equal((await member.patch(reason, { position: 2 })).body.position, 2)
  assert.deepEqual(await keysOf(survey), ['score', 'reason'])
})

test('engagement-1-11 after a response types are fixed, wording counts a revision, and deleted questions are archived', async () => {
  const survey = await createSurvey({
    questions: [
      { key: 'score', title: 'Score', question_type: 'nps', is_primary: true },
      {
        key: 'plan',
        title: 'Plan',
        question_type: 'single_choice',
        options: ['free', 'pro', 'team'].map((key) => ({ key, label: key })),
      },
      { key: 'extra', title: 'More?', question_type: 'long_text' },
    ],
  })
  assert.equal((await respondByLink(await createLink(survey), { score: 9, plan: 'team' })).status, 201)
  const plan = urlOf(survey, 'plan')

  for (const changes of [{ question_type: 'ranking' }, { key: 'tariff' }])
    assert.equal((await member.patch(plan, changes)).body.code, 'survey_has_responses')
  assert.equal((await member.patch(urlOf(survey, 'score'), { is_primary: false })).body.code, 'survey_has_responses')
  const reworded = await member.patch(plan, {
    title: 'Which plan?',
    options: ['free', 'pro'].map((key) => ({ key, label: key })),
  })
  assert.deepEqual([reworded.status, reworded.body.revision], [200, 2])
  assert.deepEqual(
    reworded.body.options.map(({ key, archived }: { key: string; archived: boolean }) => [key, archived]),
    [
      ['free', false],
      ['pro', false],
      ['team', true],
    ],
  )
  assert.equal((await member.delete(urlOf(survey, 'extra'))).status, 204)
  const { body } = await member.get(survey.url)
  assert.deepEqual(
    [body.questions.length, body.archived_questions.map(({ key }: { key: string }) => key)],
    [2, ['extra']],
  )
  assert.deepEqual(
    problemsOf(await member.post(`${survey.url}/questions`, { title: 'E', question_type: 'email', key: 'extra' })),
    ['/key unique'],
  )
  const required = await member.post(`${survey.url}/questions`, { title: 'E', question_type: 'email', required: true })
  assert.deepEqual(problemsOf(required), ['/required survey_has_responses'])
  assert.equal((await member.patch(urlOf(survey, 'extra'), { title: 'x' })).status, 404)
  assert.equal((await member.delete(urlOf(survey, 'score'))).status, 409)
})

test('a question of another survey is not found, and If-Match is checked', async () => {
  const [survey, other] = [await createSurvey({ status: 'draft' }), await createSurvey({ status: 'draft' })]
  const foreign = `${survey.url}/questions/${other.questions[0]!.id}`

  assert.deepEqual(
    [(await member.patch(foreign, { title: 'x' })).status, (await member.delete(foreign)).status],
    [404, 404],
  )
  const reason = urlOf(survey, 'reason')
  assert.equal((await member.patch(reason, { title: 'x' }, { 'if-match': '"7"' })).status, 412)
  assert.equal((await member.delete(reason, { 'if-match': '"1"' })).status, 204)
  assert.deepEqual(await keysOf(survey), ['score'])
})

test('a survey has at most 100 questions, and an active one stays complete', async () => {
  const questions = Array.from({ length: 100 }, (_, index) => ({ title: `Q${index}`, question_type: 'yes_no' }))
  const full = await createSurvey({ survey_type: 'custom', questions })
  const german = await createSurvey({ languages: ['en', 'de'] })

  assert.equal((await member.post(`${full.url}/questions`, { title: 'More', question_type: 'yes_no' })).status, 409)
  const gap = await member.post(`${german.url}/questions`, { title: { de: 'Warum?' }, question_type: 'long_text' })
  assert.deepEqual(problemsOf(gap), ['/questions/2/title missing_text'])
  const only = await createSurvey({ survey_type: 'custom', questions: questions.slice(0, 1) })
  assert.deepEqual(problemsOf(await member.delete(urlOf(only, 'q1'))), ['/questions min_items'])
})

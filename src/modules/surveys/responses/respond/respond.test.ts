import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { generateSecretToken } from '#platform/secrets'
import { runTenantSchedule } from '#testing'
import { closeSurveysSchedule } from '../../results/maintenance/maintenance.jobs.ts'
import { respondUrl, startSurveysApp } from '../../surveys.fixture.ts'

const app = await startSurveysApp()
const { acme, tenant, clock, client, domain, createSurvey, invite, createLink, respond, respondByLink, countersOf } =
  app
const { member, viewer, anonymous } = acme
const problemsOf = ({ body }: { body: { errors: { path: string; code: string }[] } }) =>
  body.errors.map(({ path, code }) => `${path} ${code}`)
const codeOf = ({ status, body }: { status: number; body: { code?: string; reason?: string } }) =>
  [status, body.code, body.reason].filter((part) => part !== undefined).join(' ')
const getForm = (token: string, query = '', headers: Record<string, string> = {}) =>
  anonymous.get(`${respondUrl(token)}${query}`, headers)
const hour = 3_600

test('engagement-1-4 reading a form writes nothing, and a score in the link is only a prefill', async () => {
  const survey = await createSurvey()
  const { token } = await invite(survey.id)
  const before = await acme.events()

  for (let n = 0; n < 50; n++)
    assert.deepEqual((await getForm(token, '?score=9&utm_source=mail')).body.prefill, { score: 9 })
  for (const query of ['?score=11', '?score=x', '?score=', ''])
    assert.equal((await getForm(token, query)).body.prefill, null)
  await anonymous.options(respondUrl(token))
  await anonymous.head(`${respondUrl(token)}?score=9`)

  const { status, headers, body } = await getForm(token)
  assert.deepEqual([status, body.state, body.answers], [200, 'open', {}])
  assert.deepEqual(
    [headers['cache-control'], headers['referrer-policy'], headers['access-control-allow-origin']],
    ['no-store', 'no-referrer', '*'],
  )
  assert.deepEqual(Object.keys(body.questions[0]).sort(), [
    'end_if',
    'help',
    'key',
    'options',
    'question_type',
    'required',
    'rules',
    'show_if',
    'title',
  ])
  for (const secret of [survey.id, acme.id, survey.questions[0]!.id, member.userId, member.name, 'customer.example'])
    assert.ok(!JSON.stringify(body).includes(secret), secret)
  assert.deepEqual(await acme.events(), before)
  assert.partialDeepStrictEqual(await countersOf(survey.id), { started: 0, completed_invited: 0 })
})

test('engagement-1-2 the same answers again get the first result, other answers are rejected', async () => {
  const survey = await createSurvey({ thank_you: 'Thanks!' })
  const { token, id } = await invite(survey.id)

  const first = await respond(token, { score: 9, reason: 'Fast' })
  const again = await respond(token, { reason: 'Fast', score: 9 })
  const other = await respond(token, { score: 2 })

  assert.deepEqual([first.status, first.body], [201, { status: 'completed', thank_you: 'Thanks!' }])
  assert.deepEqual([again.status, again.body, again.headers['idempotency-replayed']], [200, first.body, 'true'])
  assert.equal(codeOf(other), '409 already_responded')
  assert.equal(codeOf(await respond(token, { score: 9 }, { complete: false })), '409 already_responded')
  assert.deepEqual((await getForm(token)).body.state, 'completed')
  assert.deepEqual((await getForm(token)).body.questions, [])
  assert.partialDeepStrictEqual(await countersOf(survey.id), { started: 1, completed_invited: 1, completed_link: 0 })
  const { rows } = await acme.sql('select status, responded_at from surveys.invitations where id = $1', [id])
  assert.deepEqual([rows[0].status, rows[0].responded_at !== null], ['responded', true])
  const events = await acme.sql(
    `select type, data from platform.outbox_events where tenant_id = $1 and subject_id = $2 and type like '%response%'`,
    [acme.id, survey.id],
  )
  assert.equal(events.rows.length, 1)
  assert.partialDeepStrictEqual(events.rows[0].data, {
    score: 9,
    sentiment: 'positive',
    points: 15,
    survey_type: 'nps',
  })
  assert.partialDeepStrictEqual((await viewer.get(survey.url)).body, {
    completed_count: 1,
    invited_count: 1,
    headline: { nps: 100, n: 1, margin_of_error: null },
  })
})

test('engagement-1-2 of two different responses with one token at once, one is accepted', async () => {
  const survey = await createSurvey()
  const { token } = await invite(survey.id)

  const responses = await Promise.all([respond(token, { score: 9 }), respond(token, { score: 2 })])

  assert.deepEqual(responses.map(codeOf).sort(), ['201', '409 already_responded'])
  assert.equal((await viewer.get(survey.url)).body.completed_count, 1)
})

test('engagement-1-3 only the visible branch is required, and every problem has its path', async () => {
  const when = (value: boolean) => ({ question: 'customer', op: 'eq', value })
  const survey = await createSurvey({
    survey_type: 'custom',
    questions: [
      { key: 'customer', title: 'Customer?', question_type: 'yes_no', required: true },
      { key: 'plan', title: 'Plan?', question_type: 'short_text', required: true, show_if: when(true) },
      { key: 'rival', title: 'Rival?', question_type: 'short_text', required: true, show_if: when(false) },
    ],
  })
  const link = await createLink(survey)

  assert.deepEqual(problemsOf(await respondByLink(link, { customer: true })), ['/answers/plan required'])
  assert.deepEqual(problemsOf(await respondByLink(link, { customer: 'yes', x: 1 })), [
    '/answers/customer type',
    '/answers/x unknown_question',
  ])
  assert.equal((await respondByLink(link, { customer: true, plan: 'Pro', rival: 'Dropped' })).status, 201)
  const { body } = await viewer.get(`${survey.url}/responses`)
  assert.deepEqual(
    body.items[0].answers.map(({ key, value }: { key: string; value: unknown }) => [key, value]),
    [
      ['customer', true],
      ['plan', 'Pro'],
    ],
  )
})

test('engagement-1-5 a draft is returned, is no response, and ends with the response', async () => {
  const survey = await createSurvey()
  const { token, id } = await invite(survey.id)
  const save = (answers: object) => respond(token, answers, { complete: false })

  const saved = await save({ score: 3 })
  await save({ score: 4, reason: 'Slow' })

  assert.deepEqual([saved.status, saved.body.status], [200, 'partial'])
  assert.deepEqual(problemsOf(await save({ score: 12 })), ['/answers/score range'])
  assert.deepEqual((await getForm(token)).body.answers, { score: 4, reason: 'Slow' })
  assert.partialDeepStrictEqual(await countersOf(survey.id), { started: 1, completed_invited: 0 })
  const statusOf = async () =>
    (await acme.sql('select status from surveys.invitations where id = $1', [id])).rows[0].status
  assert.equal(await statusOf(), 'partial')
  assert.equal((await viewer.get(survey.url)).body.headline, null)
  assert.equal((await respond(token, { score: 5 })).status, 201)
  assert.partialDeepStrictEqual(await countersOf(survey.id), { started: 1, completed_invited: 1 })
  const drafts = await acme.sql('select 1 from surveys.drafts where tenant_id = $1 and survey_id = $2', [
    acme.id,
    survey.id,
  ])
  assert.equal(drafts.rows.length, 0)

  const strict = await createSurvey({ partial_save: false })
  const refused = await respond((await invite(strict.id)).token, { score: 5 }, { complete: false })
  assert.deepEqual(problemsOf(refused), ['/complete not_allowed'])
})

test('drafts of a public link belong to a submission', async () => {
  const survey = await createSurvey()
  const link = await createLink(survey)
  const [one, other] = [newId(), newId()]

  assert.deepEqual(problemsOf(await respond(link, { score: 1 })), ['/submission_id required'])
  const { token } = await invite(survey.id)
  assert.deepEqual(problemsOf(await respond(token, { score: 1 }, { submission_id: one })), [
    '/submission_id not_allowed',
  ])
  await respond(link, { score: 1 }, { submission_id: one, complete: false })
  assert.deepEqual((await getForm(link, `?submission_id=${one}`)).body.answers, { score: 1 })
  for (const query of ['', `?submission_id=${other}`, '?submission_id=x'])
    assert.deepEqual((await getForm(link, query)).body.answers, {})
  assert.equal((await respond(link, { score: 1 }, { submission_id: one })).status, 201)
  assert.equal((await respond(link, { score: 1 }, { submission_id: one })).status, 200)
  assert.equal(codeOf(await respond(link, { score: 2 }, { submission_id: one })), '409 already_responded')
  assert.equal((await getForm(link, `?submission_id=${one}`)).body.state, 'completed')
  assert.equal((await respond(link, { score: 2 }, { submission_id: other })).status, 201)
  assert.partialDeepStrictEqual(await countersOf(survey.id), { started: 2, completed_link: 2, completed_invited: 0 })
})

test('engagement-1-6 a survey past closes_at accepts nothing, even before the schedule closes it', async () => {
  const closes_at = new Date(clock.now().getTime() + hour * 1_000).toISOString()
  const survey = await createSurvey({ closes_at, closed_message: 'Too late, sorry.' })
  const paused = await createSurvey()
  const [invited, held] = [await invite(survey.id), await invite(paused.id)]
  assert.equal((await getForm(invited.token)).body.expires_at, closes_at)
  clock.advance(2 * hour)

  const late = await respond(invited.token, { score: 9 })
  assert.deepEqual([codeOf(late), late.body.detail], ['410 link_expired closed', 'Too late, sorry.'])
  assert.equal(codeOf(await getForm(invited.token)), '410 link_expired closed')
  await runTenantSchedule(app, closeSurveysSchedule(app.services))
  clock.reset()
  assert.partialDeepStrictEqual((await viewer.get(survey.url)).body, { status: 'closed', closed_reason: 'closes_at' })

  await member.patch(paused.url, { status: 'paused' })
  assert.deepEqual(
    [codeOf(await respond(held.token, { score: 9 })), codeOf(await getForm(held.token))],
    ['409 survey_paused', '409 survey_paused'],
  )
  await member.patch(paused.url, { status: 'active' })
  assert.equal((await respond(held.token, { score: 9 })).status, 201)
})

test('unknown, draft, expired and revoked tokens get different responses, and a closed survey that reopens accepts its links', async () => {
  const [survey, draft] = [await createSurvey(), await createSurvey({ status: 'draft' })]
  const expired = await invite(survey.id, { expires_at: new Date(clock.now().getTime() - 1_000) })
  const revoked = await invite(survey.id)
  await acme.sql(`update surveys.invitations set status = 'revoked' where id = $1`, [revoked.id])
  const [first, ofDraft] = [await createLink(survey), await invite(draft.id)]
  const second = await createLink(survey)

  assert.equal(codeOf(await getForm(generateSecretToken())), '404 not_found')
  assert.equal(codeOf(await getForm('x')), '404 not_found')
  assert.equal(codeOf(await getForm(ofDraft.token)), '404 not_found')
  assert.equal(codeOf(await getForm(expired.token)), '410 link_expired expired')
  for (const token of [revoked.token, first]) assert.equal(codeOf(await getForm(token)), '410 link_expired revoked')
  assert.equal((await getForm(second)).status, 200)
  assert.equal((await member.get(survey.url)).body.public_link.url.endsWith(`/s/${second}`), true)
  assert.deepEqual((await viewer.get(survey.url)).body.public_link, { enabled: true, url: null })
  await member.patch(survey.url, { status: 'closed' })
  assert.equal(codeOf(await respondByLink(second, { score: 9 })), '410 link_expired closed')
  await member.patch(survey.url, { status: 'active' })
  assert.equal((await respondByLink(second, { score: 9 })).status, 201)
  assert.equal((await member.delete(`${survey.url}/link`)).status, 204)
  assert.equal(codeOf(await respondByLink(second, { score: 9 })), '410 link_expired revoked')
  assert.equal((await member.post(`${draft.url}/link`)).body.code, 'survey_not_active')
})

test('engagement-1-14 a token works only at its workspace', async () => {
  const [survey, other] = [await createSurvey(), await tenant()]
  const { token } = await invite(survey.id)

  assert.equal(codeOf(await other.anonymous.get(respondUrl(token))), '404 not_found')
  assert.equal(codeOf(await other.anonymous.post(respondUrl(token), { answers: { score: 9 } })), '404 not_found')
  assert.equal((await client({ host: `unknown.${domain}` }).get(respondUrl(token))).status, 404)
  assert.equal((await respond(token, { score: 9 })).status, 201)
})

test('engagement-1-7 exactly as many responses as the limit are accepted, then the survey is closed', async () => {
  const survey = await createSurvey({ response_limit: 10 })
  const link = await createLink(survey)

  const responses = await Promise.all(Array.from({ length: 30 }, (_, n) => respondByLink(link, { score: n % 11 })))

  assert.deepEqual(responses.map(codeOf).sort(), [
    ...Array(10).fill('201'),
    ...Array(20).fill('410 link_expired closed'),
  ])
  assert.partialDeepStrictEqual((await viewer.get(survey.url)).body, {
    status: 'closed',
    closed_reason: 'response_limit',
    completed_count: 10,
  })
  assert.equal((await member.patch(survey.url, { status: 'active' })).body.code, 'conflict')
  assert.equal((await member.patch(survey.url, { status: 'active', response_limit: 10 })).status, 409)
  assert.equal((await member.patch(survey.url, { status: 'active', response_limit: 11 })).status, 200)
  assert.equal((await member.patch(survey.url, { response_limit: 10 })).status, 422)
  assert.equal((await respondByLink(link, { score: 1 })).status, 201)
  assert.equal((await viewer.get(survey.url)).body.status, 'closed')
})

test('an invalid body is rejected, and a large one too', async () => {
  const survey = await createSurvey()
  const link = await createLink(survey)
  const post = (body: object) => anonymous.post(respondUrl(link), body)

  for (const body of [
    {},
    { answers: [] },
    { answers: {}, more: 1 },
    { answers: {}, complete: 'no' },
    { answers: null },
  ])
    assert.equal((await post(body)).status, 422)
  assert.equal((await post({ answers: { reason: 'x'.repeat(300_000) } })).status, 413)
  assert.equal(
    (await post({ answers: { __proto__: 1, constructor: 2, score: 3 }, submission_id: newId() })).status,
    422,
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startSurveysApp, surveysUrl } from '../../surveys.fixture.ts'

const { acme, tenant, clock, createSurvey, invite, createLink, respond } = await startSurveysApp()
const { member, manager, viewer } = acme
const idsOf = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id)
const problemsOf = ({ body }: { body: { errors: { path: string; code: string }[] } }) =>
  body.errors.map(({ path, code }) => `${path} ${code}`)

test('engagement-1-1 an NPS survey without questions gets a score and a reason', async () => {
  const created = await member.post(surveysUrl, { name: 'Quarterly NPS', survey_type: 'nps', intro: 'Two questions' })

  assert.deepEqual([created.status, created.headers.location], [201, `${surveysUrl}${created.body.id}`])
  assert.partialDeepStrictEqual(created.body, {
    name: 'Quarterly NPS',
    survey_type: 'nps',
    status: 'draft',
    anonymous: false,
    partial_save: true,
    default_language: 'en',
    languages: ['en'],
    intro: { en: 'Two questions' },
    thank_you: {},
    reminder_days: [3, 7],
    min_group_size: 5,
    invitation_ttl_days: 30,
    closes_at: null,
    response_limit: null,
    effects: {
      scoring: true,
      points: { positive: 15, neutral: 5, negative: -10, completed: 5 },
      alert_on_negative: true,
    },
    email: { subject: {}, body: {}, from_name: null, reply_to: null },
    owner: { id: member.userId, name: member.name },
    invited_count: 0,
    completed_count: 0,
    headline: null,
    public_link: { enabled: false, url: null },
    version: 1,
  })
  const [score, reason] = created.body.questions
  assert.partialDeepStrictEqual(score, {
    key: 'score',
    question_type: 'nps',
    is_primary: true,
    required: true,
    position: 1,
  })
  assert.partialDeepStrictEqual(reason, { key: 'reason', question_type: 'long_text', required: false, position: 2 })
  const read = await viewer.get(`${surveysUrl}${created.body.id}`)
  assert.equal(read.headers.etag, '"1"')
  assert.deepEqual(read.body, created.body)
  for (const survey_type of ['csat', 'ces'])
    assert.equal((await createSurvey({ survey_type, status: 'draft' })).questions.length, 2)
  assert.deepEqual((await createSurvey({ survey_type: 'custom', status: 'draft' })).questions, [])
})

test('surveys are listed by status, type, owner and words, the newest first', async () => {
  const other = await tenant()
  const create = async (fields: object) =>
    (await other.member.post(surveysUrl, { survey_type: 'nps', ...fields })).body.id as string
  const first = await create({ name: 'Onboarding feedback' })
  const second = await create({ name: 'Renewal feedback', survey_type: 'csat' })
  const owned = (await other.manager.post(surveysUrl, { name: 'Über uns', survey_type: 'nps' })).body.id
  await other.member.patch(`${surveysUrl}${first}`, { status: 'active' })
  const list = async (query: string) => idsOf(await other.viewer.get(`${surveysUrl}?${query}`))

  assert.deepEqual(await list(''), [owned, second, first])
  assert.deepEqual(await list('status=draft'), [owned, second])
  assert.deepEqual(await list('status=draft,active&survey_type=nps'), [owned, first])
  assert.deepEqual(await list('survey_type=csat,ces'), [second])
  assert.deepEqual(await list(`owner_id=${other.manager.userId}`), [owned])
  assert.deepEqual(await list('search=feed%20onb'), [first])
  assert.deepEqual(await list('search=uber'), [owned])
  assert.deepEqual(await list('search=nothing'), [])
  const page = await other.viewer.get(`${surveysUrl}?limit=2`)
  assert.deepEqual([page.body.total, page.body.items[0].questions], [3, undefined])
  assert.deepEqual(await list(`limit=2&cursor=${page.body.next_cursor}`), [first])
  assert.deepEqual(await list(`owner_id=${newId()}`), [])
  assert.equal((await other.viewer.get(`${surveysUrl}?kind=nps`)).status, 422)
})

test('engagement-1-14 surveys of other workspaces are not found, and viewers and other members change nothing', async () => {
  const survey = await createSurvey({ status: 'draft' })
  const [other, colleague] = [await tenant(), await acme.person('member')]
  const question = `${survey.url}/questions/${survey.questions[0]!.id}`
  const calls = (user: typeof member) =>
    Promise.all([
      user.patch(survey.url, { name: 'Mine' }),
      user.delete(survey.url),
      user.post(`${survey.url}/questions`, { title: 'Why?', question_type: 'long_text' }),
      user.patch(question, { title: 'Why?' }),
      user.delete(question),
      user.post(`${survey.url}/questions/reorder`, { question_ids: [survey.questions[0]!.id] }),
      user.post(`${survey.url}/link`),
      user.delete(`${survey.url}/link`),
    ])
  const codesOf = async (user: typeof member) =>
    new Set((await calls(user)).map(({ status, body }) => `${status} ${body.code}`))

  assert.deepEqual([...(await codesOf(other.admin))], ['404 not_found'])
  assert.deepEqual([...(await codesOf(viewer))], ['403 scope_required'])
  assert.deepEqual([...(await codesOf(colleague))], ['403 role_required'])
  assert.equal((await other.admin.get(survey.url)).status, 404)
  assert.equal((await viewer.get(survey.url)).body.version, 1)
  assert.equal((await viewer.post(surveysUrl, { name: 'Mine', survey_type: 'nps' })).status, 403)
  assert.equal((await manager.patch(survey.url, { name: 'Ours' })).status, 200)
})

test('invalid fields and references are rejected, all at once', async () => {
  const other = await tenant()
  const create = (fields: object) => member.post(surveysUrl, { name: 'A', survey_type: 'nps', ...fields })
  const campaign = await other.manager.post('/api/campaigns/', { name: 'Launch', type: 'email' })

  const response = await create({
    reminder_days: [7, 3],
    languages: ['en', 'de'],
    anonymous: true,
    partial_save: true,
    intro: { it: 'Ciao' },
    closes_at: clock.now().toISOString(),
    questions: [
      { title: { fr: 'Note' }, question_type: 'csat', is_primary: true },
      { title: 'Q', question_type: 'single_choice', options: [{ key: 'a', label: 'A' }] },
      { title: 'Q', question_type: 'rating', rules: { decimals: 2 }, show_if: { question: 'q9', op: 'answered' } },
    ],
  })
  assert.equal(response.status, 422)
  assert.deepEqual(problemsOf(response).sort(), [
    '/closes_at future',
    '/intro/it unknown_language',
    '/partial_save not_allowed',
    '/questions/0/is_primary not_allowed',
    '/questions/0/title/fr unknown_language',
    '/questions/1/options min_items',
    '/questions/2/rules/decimals not_allowed',
    '/questions/2/show_if/question unknown_question',
    '/reminder_days order',
  ])
  assert.deepEqual(problemsOf(await create({ default_language: 'fr', languages: ['en'], questions: [] })), [
    '/default_language enum',
  ])
  assert.deepEqual(problemsOf(await create({ campaign_id: campaign.body.id })), ['/campaign_id unknown_reference'])
  assert.equal((await create({ owner_id: manager.userId })).body.code, 'role_required')
  const byManager = (fields: object) => manager.post(surveysUrl, { name: 'A', survey_type: 'nps', ...fields })
  assert.deepEqual(problemsOf(await byManager({ owner_id: other.member.userId })), ['/owner_id unknown_reference'])
  assert.equal((await byManager({ owner_id: member.userId })).body.owner_id, member.userId)
  assert.equal((await create({ status: 'active' })).status, 422)
})

test('an incomplete survey cannot be activated, and all problems are reported at once', async () => {
  const survey = await createSurvey({
    status: 'draft',
    survey_type: 'csat',
    languages: ['en', 'de'],
    thank_you: { de: 'Danke' },
    questions: [{ title: { de: 'Warum?' }, question_type: 'long_text' }],
  })
  const activate = () => member.patch(survey.url, { status: 'active' })

  assert.deepEqual(problemsOf(await activate()), [
    '/questions primary_question_required',
    '/thank_you missing_text',
    '/questions/0/title missing_text',
  ])
  const empty = await createSurvey({ status: 'draft', survey_type: 'custom' })
  assert.deepEqual(problemsOf(await member.patch(empty.url, { status: 'active' })), ['/questions min_items'])
  const hidden = {
    title: 'Score',
    question_type: 'csat',
    is_primary: true,
    show_if: { question: 'q1', op: 'answered' },
  }
  const score = await member.post(`${survey.url}/questions`, hidden)
  assert.equal(problemsOf(await activate())[0], '/questions primary_question_required')
  await member.patch(`${survey.url}/questions/${score.body.id}`, { show_if: null })
  await member.patch(`${survey.url}/questions/${survey.questions[0]!.id}`, { title: 'Why?' })
  await member.patch(survey.url, { thank_you: 'Thanks' })

  const activated = await activate()
  assert.deepEqual([activated.status, activated.body.status], [200, 'active'])
  assert.deepEqual(activated.body.thank_you, { de: 'Danke', en: 'Thanks' })
})

test('surveys change their status only along the allowed transitions', async () => {
  const survey = await createSurvey({ status: 'draft' })
  const change = async (status: string) => {
    const { status: code, body } = await member.patch(survey.url, { status })
    return code === 200 ? body.status : `${body.code} ${body.allowed}`
  }

  const results = []
  for (const status of ['paused', 'closed', 'active', 'draft', 'paused', 'active', 'closed', 'paused', 'active'])
    results.push(await change(status))
  assert.deepEqual(results, [
    'invalid_transition active',
    'invalid_transition active',
    'active',
    'invalid_transition paused,closed',
    'paused',
    'active',
    'closed',
    'invalid_transition active',
    'active',
  ])
  const types = (
    await acme.sql(`select type from platform.outbox_events where tenant_id = $1 and subject_id = $2 order by id`, [
      acme.id,
      survey.id,
    ])
  ).rows.map(({ type }) => type)
  assert.deepEqual(types, [
    'survey.created',
    'survey.activated',
    'survey.paused',
    'survey.activated',
    'survey.closed',
    'survey.reopened',
  ])
})

test('a closed survey can only change what does not affect its results', async () => {
  const survey = await createSurvey({ status: 'closed' })
  const codeOf = async (changes: object) => (await member.patch(survey.url, changes)).body.code ?? 200

  assert.equal((await member.get(survey.url)).body.closed_reason, 'manual')
  for (const changes of [{ name: 'Old' }, { description: 'x' }, { effects: { scoring: false } }, { min_group_size: 6 }])
    assert.equal(await codeOf(changes), 200)
  for (const changes of [
    { intro: 'x' },
    { closes_at: null, response_limit: 5 },
    { min_group_size: 5 },
    { languages: ['en', 'de'] },
  ])
    assert.equal(await codeOf(changes), 'survey_closed')
  assert.equal(
    (await member.post(`${survey.url}/questions`, { title: 'Q', question_type: 'number' })).body.code,
    'survey_closed',
  )
  assert.equal(await codeOf({ status: 'active', response_limit: 5 }), 200)
})

test('anonymity, languages and the smallest group cannot be reduced once there are responses', async () => {
  const survey = await createSurvey({ languages: ['en', 'de'], questions: undefined })
  const codeOf = async (changes: object) => (await member.patch(survey.url, changes)).body.code ?? 200
  assert.deepEqual([await codeOf({ anonymous: true }), await codeOf({ anonymous: false })], [200, 200])
  assert.equal((await member.get(survey.url)).body.partial_save, false)
  assert.deepEqual([await codeOf({ partial_save: true }), await codeOf({ min_group_size: 7 })], [200, 200])
  const { token } = await invite(survey.id)
  assert.equal(await codeOf({ anonymous: true }), 'survey_has_responses')
  assert.equal(await codeOf({ languages: ['en', 'de', 'fr'] }), 200)

  assert.equal((await respond(token, { score: 9 }, { complete: false })).status, 200)

  for (const changes of [{ min_group_size: 6 }, { languages: ['en'] }, { default_language: 'de' }])
    assert.equal(await codeOf(changes), 'survey_has_responses')
  assert.deepEqual([await codeOf({ min_group_size: 9 }), await codeOf({ intro: 'Hello' })], [200, 200])
  const linked = await createSurvey()
  await createLink(linked)
  assert.equal((await member.patch(linked.url, { anonymous: true })).body.code, 'survey_has_responses')
})

test('a removed language is removed from all texts', async () => {
  const survey = await createSurvey({
    status: 'draft',
    languages: ['en', 'de'],
    intro: { en: 'Hi', de: 'Hallo' },
    email: { subject: { en: 'S', de: 'B' } },
    questions: [
      {
        title: { en: 'Which?', de: 'Welche?' },
        question_type: 'single_choice',
        options: ['a', 'b'].map((key) => ({ key, label: { en: key, de: `${key}_de` } })),
      },
    ],
  })

  const { body } = await member.patch(survey.url, { languages: ['en'] })

  assert.deepEqual(
    [body.intro, body.email.subject, body.questions[0].title],
    [{ en: 'Hi' }, { en: 'S' }, { en: 'Which?' }],
  )
  assert.deepEqual(body.questions[0].options[0].label, { en: 'a' })
})

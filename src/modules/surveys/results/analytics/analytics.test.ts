import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSegment } from '../../../marketing/segments/segments/segments.fixture.ts'
import { startSurveysApp } from '../../surveys.fixture.ts'

const { acme, tenant, clock, createSurvey, invite, createLink, respond, respondByLink } = await startSurveysApp()
const globex = await tenant()

async function analyticsOf({ url }: { url: string }, query = '', reader = acme.viewer) {
  const { status, body } = await reader.get(`${url}/analytics${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function answerAll(survey: { url: string }, scores: readonly number[], fields: object = {}) {
  const token = await createLink(survey)
  for (const score of scores) assert.equal((await respondByLink(token, { score, ...fields })).status, 201)
}

test('engagement-1-15 the worked examples have the documented results', async () => {
  const [nps, csat, ces] = [
    await createSurvey(),
    await createSurvey({ survey_type: 'csat' }),
    await createSurvey({ survey_type: 'ces' }),
  ]
  await answerAll(nps, [10, 9, 9, 8, 7, 6, 3, 10, 9, 0])
  await answerAll(csat, [5, 4, 4, 3, 2])
  await answerAll(ces, [7, 6, 5, 4, 2])

  const results = await analyticsOf(nps)
  assert.deepEqual(results.headline, {
    nps: 20,
    promoters: 5,
    passives: 2,
    detractors: 3,
    n: 10,
    margin_of_error: 54,
  })
  assert.deepEqual((await analyticsOf(csat)).headline, { csat_rate: 0.6, average: 3.6, n: 5 })
  assert.deepEqual((await analyticsOf(ces)).headline, { ces_average: 4.8, easy_rate: 0.6, n: 5 })
  const [score, reason] = results.questions
  assert.partialDeepStrictEqual(score, { key: 'score', answered: 10, skipped: 0, average: 7.1, median: 8.5 })
  assert.partialDeepStrictEqual(reason, { key: 'reason', answered: 0, skipped: 10, latest_texts: [] })
  assert.partialDeepStrictEqual(results.totals, { completed: 10, started: 10, completion_rate: 1, response_rate: null })
  assert.deepEqual(
    results.trend.map(({ n, nps: value }: { n: number; nps: number }) => [n, value]),
    [[10, 20]],
  )
})

test('engagement-1-15 an empty survey has nulls, and responses through the link are not in the response rate', async () => {
  const survey = await createSurvey()
  const empty = await analyticsOf(survey, '?group_by=language')
  assert.deepEqual([empty.headline, empty.totals.response_rate, empty.totals.completion_rate], [null, null, null])
  assert.deepEqual([empty.trend, empty.groups, empty.questions[0].average], [[], [], null])
  assert.ok(!JSON.stringify(empty).includes('NaN'))

  const invitations = []
  for (let n = 0; n < 4; n++) invitations.push(await invite(survey.id))
  assert.equal((await respond(invitations[0]!.token, { score: 9, reason: 'Fast' })).status, 201)
  assert.equal((await respond(invitations[1]!.token, { score: 2 }, { complete: false })).status, 200)
  await answerAll(survey, [10])

  const { totals, headline, questions } = await analyticsOf(survey)
  assert.partialDeepStrictEqual(totals, {
    invited: 4,
    delivered: 4,
    bounced: 0,
    started: 3,
    completed: 2,
    response_rate: 0.25,
    completion_rate: 0.6667,
  })
  assert.equal(headline.n, 2)
  assert.deepEqual(questions[1].latest_texts, ['Fast'])
})

test('segments of the audience are groups with names', async () => {
  const survey = await createSurvey()
  const segment = await newSegment(acme, { name: 'Trial users' })
  const { id, token } = await invite(survey.id)
  await acme.sql('update surveys.invitations set segment_ids = $1 where id = $2', [[segment.id], id])
  await respond(token, { score: 9 })

  const { groups } = await analyticsOf(survey, '?group_by=segment')

  assert.equal((await globex.admin.get(`${survey.url}/analytics`)).status, 404)
  assert.partialDeepStrictEqual(groups, [{ key: segment.id, label: 'Trial users', n: 1, nps: 100 }])
})

test('all kinds of questions have figures', async () => {
  const option = (key: string) => ({ key, label: key })
  const survey = await createSurvey({
    survey_type: 'custom',
    questions: [
      { key: 'pick', title: 'Pick', question_type: 'multiple_choice', options: ['a', 'b'].map(option) },
      { key: 'rank', title: 'Rank', question_type: 'ranking', options: ['x', 'y'].map(option) },
      {
        key: 'grid',
        title: 'Grid',
        question_type: 'matrix',
        rules: { rows: [option('speed')], columns: [option('good'), option('bad')] },
      },
      { key: 'size', title: 'Size', question_type: 'number', rules: { decimals: 2 } },
      { key: 'ok', title: 'Ok?', question_type: 'yes_no' },
    ],
  })
  const token = await createLink(survey)
  const answers = [
    { pick: ['a', 'b'], rank: ['x', 'y'], grid: { speed: 'good' }, size: 0.1, ok: true },
    { pick: ['a'], rank: ['y', 'x'], grid: { speed: 'good' }, size: 0.2, ok: false },
    { pick: ['a'], rank: ['x', 'y'], size: 0.3 },
  ]
  for (const answer of answers) assert.equal((await respondByLink(token, answer)).status, 201)

  const { headline, trend, questions } = await analyticsOf(survey)

  assert.deepEqual([headline, trend], [null, []])
  const [pick, rank, grid, size, ok] = questions
  assert.deepEqual([pick.answered, pick.distribution.map(({ rate }: { rate: number }) => rate)], [3, [1, 0.3333]])
  assert.deepEqual(
    rank.distribution.map(({ mean_rank }: { mean_rank: number }) => mean_rank),
    [1.33, 1.67],
  )
  assert.deepEqual([grid.answered, grid.skipped, grid.rows[0].distribution[0].rate], [2, 1, 1])
  assert.deepEqual([size.answered, size.average, size.median], [3, 0.2, 0.2])
  assert.deepEqual([ok.answered, ok.distribution[0].count], [2, 1])
})

const anonymous = { anonymous: true, partial_save: false, min_group_size: 5 }

test('engagement-1-10 results of an anonymous survey appear in groups', async () => {
  const survey = await createSurvey(anonymous)
  const seen = async () => (await analyticsOf(survey)).headline?.n ?? null
  const numbers: (number | null)[] = []
  for (let count = 1; count <= 17; count++) {
    await answerAll(survey, [count % 2 ? 9 : 3])
    numbers.push(await seen())
  }

  const open = await analyticsOf(survey)
  assert.deepEqual(numbers, [...Array(9).fill(null), ...Array(5).fill(5), ...Array(3).fill(10)])
  assert.deepEqual([open.questions, open.trend, open.groups, open.totals.completed], [null, null, null, 17])
  assert.equal((await acme.member.patch(survey.url, { status: 'closed' })).status, 200)
  const closed = await analyticsOf(survey)
  assert.equal(closed.headline.n, 17)
  assert.equal(closed.questions[0].answered, 17)
  assert.deepEqual(
    closed.trend.map(({ n }: { n: number }) => n),
    [17],
  )
})

test('engagement-1-10 few responses to an anonymous survey are shown after it is closed, or never', async () => {
  const [seven, four] = [await createSurvey(anonymous), await createSurvey(anonymous)]
  await answerAll(seven, Array(7).fill(9))
  await answerAll(four, Array(4).fill(9), { reason: 'Secret' })
  for (const { url } of [seven, four]) await acme.member.patch(url, { status: 'closed' })

  assert.equal((await analyticsOf(seven)).headline.n, 7)
  const hidden = await analyticsOf(four)
  assert.deepEqual([hidden.headline, hidden.questions, hidden.trend, hidden.groups], [null, null, null, null])
  for (const query of ['?from=2026-01-01', '?to=2030-01-01', '?interval=day', '?interval=week', '?group_by=channel'])
    assert.equal((await acme.admin.get(`${seven.url}/analytics${query}`)).status, 422)
})

test('engagement-1-10 small groups of a closed anonymous survey are hidden', async () => {
  const survey = await createSurvey({ ...anonymous, languages: ['en', 'de', 'fr'], breakdown: 'language' })
  const token = await createLink(survey)
  for (const [language, count] of [
    ['en', 12],
    ['de', 6],
    ['fr', 3],
  ] as const)
    for (let n = 0; n < count; n++) await respondByLink(token, { score: 9 }, { language })
  await acme.member.patch(survey.url, { status: 'closed' })

  const { groups } = await analyticsOf(survey, '?group_by=language')

  assert.deepEqual(groups, [
    {
      key: 'en',
      label: null,
      n: 12,
      nps: 100,
      promoters: 12,
      passives: 0,
      detractors: 0,
      margin_of_error: 0,
    },
  ])
})

// The clock advances beyond the sessions of the other tests.
test('results have groups and ranges of days', async () => {
  const survey = await createSurvey({ languages: ['en', 'de'] })
  const token = await createLink(survey)
  await respondByLink(token, { score: 10, reason: 'Early' })
  clock.advance(3 * 86_400)
  const viewer = await acme.person('viewer')
  await respondByLink(token, { score: 2, reason: 'Late' }, { language: 'de' })
  const { token: personal } = await invite(survey.id)
  await respond(personal, { score: 9 })
  const { trend } = await analyticsOf(survey, '', viewer)
  const days = trend.map(({ period_start_on }: { period_start_on: string }) => period_start_on)
  const today = days.at(-1)

  const byLanguage = await analyticsOf(survey, '?group_by=language', viewer)
  const byChannel = await analyticsOf(survey, '?group_by=channel', viewer)
  const recent = await analyticsOf(survey, `?from=${today}&to=${today}`, viewer)

  assert.equal(days.length, 4)
  assert.deepEqual(
    byLanguage.groups.map(({ key, n, nps }: Record<string, unknown>) => [key, n, nps]),
    [
      ['en', 2, 100],
      ['de', 1, -100],
    ],
  )
  assert.deepEqual(
    byChannel.groups.map(({ key, n }: Record<string, unknown>) => [key, n]),
    [
      ['link', 2],
      ['email', 1],
    ],
  )
  assert.deepEqual([recent.headline.n, recent.headline.nps], [2, 0])
  assert.deepEqual(recent.questions[1].latest_texts, ['Late'])
  const invalid = async (query: string) => (await viewer.get(`${survey.url}/analytics${query}`)).status
  assert.equal(await invalid(`?from=${today}&to=2020-01-01`), 422)
  assert.equal(await invalid('?from=2020-01-01&interval=day'), 422)
})

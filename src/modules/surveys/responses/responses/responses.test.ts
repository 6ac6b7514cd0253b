import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { runTenantSchedule } from '#testing'
import { purgeSurveysSchedule } from '../../results/maintenance/maintenance.jobs.ts'
import { respondUrl, startSurveysApp } from '../../surveys.fixture.ts'

const app = await startSurveysApp()
const { acme, clock, createSurvey, invite, createLink, respond, respondByLink, countersOf } = app
const { member, manager, viewer, anonymous } = acme
const getForm = (token: string, query = '', headers: Record<string, string> = {}) =>
  anonymous.get(`${respondUrl(token)}${query}`, headers)
const hour = 3_600

test('engagement-1-13 texts are in the language of the respondent and fall back one by one', async () => {
  const survey = await createSurvey({
    languages: ['en', 'de'],
    intro: { en: 'Hello', de: 'Hallo' },
    questions: [
      { key: 'score', title: { en: 'Score', de: 'Note' }, question_type: 'nps', is_primary: true, required: true },
      { key: 'reason', title: { en: 'Why?' }, question_type: 'long_text' },
    ],
  })
  const [german, link] = [await invite(survey.id, { language: 'de' }), await createLink(survey)]
  const textsOf = async (token: string, query = '', language = '') => {
    const { body } = await getForm(token, query, { 'accept-language': language })
    return [
      body.survey.language,
      body.survey.intro,
      ...body.questions.map(({ title }: { title: string }) => title),
    ].join()
  }

  assert.equal(await textsOf(german.token), 'de,Hallo,Note,Why?')
  assert.equal(await textsOf(german.token, '?lang=en'), 'en,Hello,Score,Why?')
  assert.equal(await textsOf(german.token, '?lang=xx'), 'de,Hallo,Note,Why?')
  assert.equal(await textsOf(link, '', 'fr, de-AT;q=0.8, en;q=0.5'), 'de,Hallo,Note,Why?')
  assert.equal(await textsOf(link, '', 'fr'), 'en,Hello,Score,Why?')
  assert.equal((await respond(german.token, { score: 7 })).status, 201)
  assert.equal((await viewer.get(`${survey.url}/responses`)).body.items[0].language, 'de')
})

test('responses are listed with filters, and a deleted one is taken out of all figures', async () => {
  const survey = await createSurvey()
  const contact = (await manager.post('/api/contacts/', { last_name: 'Moss' })).body
  const [link, invited] = [await createLink(survey), await invite(survey.id, { contact_id: contact.id })]
  await respondByLink(link, { score: 2, reason: 'Slow' })
  await respond(invited.token, { score: 10 })
  const list = async (query: string) =>
    (await viewer.get(`${survey.url}/responses?${query}`)).body.items.map(({ score }: { score: number }) => score)

  assert.deepEqual(await list(''), [10, 2])
  assert.deepEqual(await list('sentiment=negative'), [2])
  assert.deepEqual(await list('sentiment=negative,positive'), [10, 2])
  assert.deepEqual(await list('channel=email'), [10])
  assert.deepEqual(await list(`contact_id=${contact.id}`), [10])
  assert.deepEqual(await list(`lead_id=${newId()}`), [])
  assert.deepEqual(await list('from=2001-01-01&to=2001-01-02'), [])
  assert.deepEqual(await list(`from=${clock.now().toISOString().slice(0, 4)}-01-01`), [10, 2])
  const readStats = async () =>
    (
      await acme.sql(
        `select bucket, n::int, sum::int from surveys.answer_stats where tenant_id = $1 and survey_id = $2 and n <> 0
         union all select dim || ':' || dim_value || ':' || score, n::int, 0 from surveys.score_stats
         where tenant_id = $1 and survey_id = $2 and n <> 0 order by 1`,
        [acme.id, survey.id],
      )
    ).rows.map(({ bucket, n, sum }) => `${bucket} ${n} ${sum}`)
  assert.deepEqual(await readStats(), [
    '* 1 0',
    '10 1 10',
    '2 1 2',
    '_skipped 1 0',
    'all::10 1 0',
    'all::2 1 0',
    'channel:email:10 1 0',
    'channel:link:2 1 0',
    'language:en:10 1 0',
    'language:en:2 1 0',
  ])

  const [, slow] = (await viewer.get(`${survey.url}/responses`)).body.items
  const url = `${survey.url}/responses/${slow.id}`
  assert.equal((await member.delete(url)).body.code, 'role_required')
  const statuses = [(await manager.delete(url)).status, (await manager.delete(url)).status]
  assert.deepEqual(statuses, [204, 404])
  assert.deepEqual(await list(''), [10])
  assert.deepEqual(await readStats(), [
    '10 1 10',
    '_skipped 1 0',
    'all::10 1 0',
    'channel:email:10 1 0',
    'language:en:10 1 0',
  ])
  assert.partialDeepStrictEqual(await countersOf(survey.id), { started: 1, completed_invited: 1, completed_link: 0 })
  assert.equal((await viewer.get(survey.url)).body.headline.nps, 100)
})

test('deleted surveys and their responses are purged after 30 days', async () => {
  const survey = await createSurvey()
  const { token } = await invite(survey.id)
  assert.equal((await respond(token, { score: 9, reason: 'Text' })).status, 201)
  await member.patch(survey.url, { status: 'closed' })
  await member.delete(survey.url)
  const countRows = async () =>
    (
      await acme.sql(
        `select (select count(*) from surveys.surveys where id = $1) + (select count(*) from surveys.answers where survey_id = $1)
           + (select count(*) from surveys.invitations where survey_id = $1) as rows`,
        [survey.id],
      )
    ).rows[0].rows
  const purge = () => runTenantSchedule(app, purgeSurveysSchedule(app.services))

  await purge()
  assert.equal(Number(await countRows()), 4)
  clock.advance(31 * 24 * hour)
  await purge()
  assert.equal(Number(await countRows()), 0)
  clock.reset()
})

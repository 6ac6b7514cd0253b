// What an admin reads in archives of an anonymous survey, while it is open and after its end.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { storageKey } from '#platform/storage'
import { waitForTask, waitForValue } from '#testing'
import { surveyErasure } from '../../results/erasure/survey.erasures.ts'
import { startSendingApp } from '../../sending/distributions/distributions.fixture.ts'
import { resetAnonymousSurveys } from '../responses/reset-anonymous-surveys.queries.ts'

const app = await startSendingApp()
const { acme, services, createSurvey, invitePerson, invite, createLink, respond, respondByLink } = app
const { admin, member, viewer } = acme
const k = 5

async function readArchive(): Promise<Map<string, string>> {
  const started = await admin.post('/api/admin/backups', {})
  assert.equal(started.status, 202, started.text)
  const item = await waitForValue(
    async () => (await admin.get('/api/admin/backup-status')).body.items[0],
    (one) => one !== undefined && !['queued', 'running'].includes(one.state),
  )
  const { stream } = await services.storage.get(storageKey(acme.id, 'backups', item.id))
  const folder = mkdtempSync(join(tmpdir(), 'tributary-archive-'))
  try {
    writeFileSync(join(folder, 'archive.tar.gz'), await buffer(stream))
    execFileSync('tar', ['-xzf', 'archive.tar.gz'], { cwd: folder })
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ndjson'))
    return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const rowsOf = (files: Map<string, string>, table: string, surveyId: string): Record<string, unknown>[] =>
  [...files]
    .filter(([name]) => name.includes(`data/surveys.${table}/`))
    .flatMap(([, text]) => text.trimEnd().split('\n'))
    .map((line) => JSON.parse(line))
    .filter(({ survey_id }) => survey_id === surveyId)

const teamQuestions = [
  { key: 'score', title: 'Score', question_type: 'nps', required: true, is_primary: true },
  { key: 'reason', title: 'Why?', question_type: 'long_text' },
  {
    key: 'team',
    title: 'Team?',
    question_type: 'single_choice',
    options: ['sales', 'legal'].map((key) => ({ key, label: key })),
  },
  { key: 'boss', title: 'Boss?', question_type: 'short_text', show_if: { question: 'team', op: 'eq', value: 'legal' } },
]
const anonymous = { anonymous: true, min_group_size: k, languages: ['en', 'de'], questions: teamQuestions }

test('an archive has no answer to an open anonymous survey, and no small group after its end', async () => {
  const survey = await createSurvey({ ...anonymous, breakdown: 'language' })
  for (let n = 0; n < 12; n++) {
    const { token } = await invitePerson(survey.id, { language: n === 0 ? 'de' : 'en' })
    const answers = { score: n === 0 ? 1 : 9, reason: `Reason ${n}`, team: n === 0 ? 'legal' : 'sales' }
    assert.equal((await respond(token, { ...answers, ...(n === 0 && { boss: 'Bossname' }) })).status, 201)
  }
  const open = await readArchive()
  await member.patch(survey.url, { status: 'closed' })

  const closed = await readArchive()

  for (const table of ['responses', 'answers', 'answer_stats', 'score_stats', 'unreleased_responses', 'used_tokens'])
    assert.deepEqual(rowsOf(open, table, survey.id), [], table)
  assert.doesNotMatch([...open.values()].join(), /Reason \d|Bossname/)
  const stats = rowsOf(closed, 'score_stats', survey.id)
  assert.deepEqual(
    stats.map(({ dim, score, n }) => [dim, score, n]),
    [
      ['all', 1, 1],
      ['all', 9, 11],
    ],
  )
  const responses = rowsOf(closed, 'responses', survey.id)
  assert.equal(responses.length, 12)
  for (const column of ['language', 'channel', 'submitted_on', 'submitted_at', 'started_at', 'lifecycle_stage'])
    assert.equal(new Set(responses.map((row) => row[column])).size, 1, column)
  const texts = [...closed.values()].join()
  assert.equal(new Set(texts.match(/Reason \d+/g)).size, 12)
  assert.doesNotMatch(texts, /Bossname/)
  assert.deepEqual(
    rowsOf(closed, 'answers', survey.id).filter(({ value_options }) => value_options !== null),
    [],
    'the row of the only lawyer would be the one without a choice',
  )
})

async function exportOf({ url }: { url: string }): Promise<string[]> {
  const task = await waitForTask(acme, (await member.post(`${url}/export`)).body)
  const { text } = await member.get((task.result as { download_url: string }).download_url)
  return text.replace('\uFEFF', '').trimEnd().split('\r\n')
}

test('an export has choices that occur often enough, and questions that few have answered are not shown', async () => {
  const survey = await createSurvey(anonymous)
  for (let n = 0; n < 16; n++) {
    const { token } = await invitePerson(survey.id)
    const team = n < 6 ? 'sales' : n < 11 ? 'legal' : undefined
    await respond(token, { score: 9, reason: `R${n}`, ...(team && { team }), ...(n === 6 && { boss: 'Bossname' }) })
  }
  assert.deepEqual(await exportOf(survey), ['score,reason,team,boss'])
  await member.patch(survey.url, { status: 'closed' })

  const lines = (await exportOf(survey)).slice(1)
  const { body } = await viewer.get(`${survey.url}/analytics`)

  const teams = Map.groupBy(lines, (line) => line.split(',').slice(2).join())
  assert.deepEqual([...teams].map(([team, rows]) => [team, rows.length]).sort(), [
    [',', 5],
    ['legal,', 5],
    ['sales,', 6],
  ])
  assert.deepEqual(
    body.questions.map(({ key, answered }: { key: string; answered: number }) => [key, answered]),
    [
      ['score', 16],
      ['reason', 16],
      ['team', 11],
    ],
  )
})

test('the one breakdown is chosen before the first invitation, and the survey says what will be seen', async () => {
  const survey = await createSurvey({ ...anonymous, breakdown: 'language', status: 'draft' })
  const before = (await viewer.get(survey.url)).body
  assert.equal((await member.patch(survey.url, { breakdown: 'channel' })).status, 200)
  assert.equal((await member.patch(survey.url, { anonymous: false })).body.breakdown, 'none')
  const identified = await member.patch(survey.url, { breakdown: 'language' })
  assert.equal(
    (await member.patch(survey.url, { anonymous: true, breakdown: 'language', status: 'active' })).status,
    200,
  )
  await invitePerson(survey.id)

  const late = await Promise.all(
    [{ breakdown: 'channel' }, { min_group_size: 6 }].map((changes) => member.patch(survey.url, changes)),
  )
  const refused = await Promise.all(
    ['group_by=channel', 'group_by=segment', 'interval=week', 'from=2026-01-01'].map((query) =>
      viewer.get(`${survey.url}/analytics?${query}`),
    ),
  )

  assert.match(before.visibility.shown.join(), /scores by language, of groups of at least 5 persons/)
  assert.match(before.visibility.hidden.join(), /Any result before the end/)
  assert.equal((await viewer.get((await createSurvey()).url)).body.visibility, null)
  assert.equal(identified.body.errors[0].path, '/breakdown')
  assert.deepEqual(
    late.map(({ body }) => body.code),
    ['survey_has_responses', 'survey_has_responses'],
  )
  assert.deepEqual(
    refused.map(({ status }) => status),
    [422, 422, 422, 422],
  )
  assert.equal((await viewer.get(`${survey.url}/analytics?group_by=language&interval=month`)).status, 200)
})

test('answers of addresses and visitors do not make a group for one person', async () => {
  const results = []
  for (const persons of [1, k]) {
    const survey = await createSurvey({ anonymous: true, min_group_size: k })
    for (let n = 0; n < 2 * k; n++) await respond((await invite(survey.id)).token, { score: 10 })
    for (let n = 0; n < persons; n++) await respond((await invitePerson(survey.id)).token, { score: 0 })
    const link = await createLink(survey)
    for (let n = 0; n < k; n++) await respondByLink(link, { score: 8 })
    const open = (await viewer.get(survey.url)).body.headline
    await member.patch(survey.url, { status: 'closed' })
    const { headline, privacy } = (await viewer.get(`${survey.url}/analytics`)).body
    results.push([open, headline.promoters, headline.passives, headline.detractors, privacy.responses_by_link])
  }

  assert.deepEqual(results, [
    [null, 0, k, 0, k],
    [null, 2 * k, k, k, k],
  ])
})

test('an address in a waiting answer or in the draft of a visitor is erased', async () => {
  const questions = [{ key: 'mail', title: 'Your address?', question_type: 'email' }, ...teamQuestions.slice(0, 2)]
  const [waiting, drafted] = [await createSurvey({ ...anonymous, questions }), await createSurvey({ questions })]
  const answers = { mail: 'Erase.me@waiting.example', score: 9, reason: 'Kept' }
  await respondByLink(await createLink(waiting), answers)
  await respondByLink(await createLink(drafted), answers, { complete: false })
  const rows = async () =>
    (
      await acme.sql(
        `select answers::text from surveys.unreleased_responses where tenant_id = $1 and survey_id = $2
         union all select answers::text from surveys.drafts where tenant_id = $1 and survey_id = $3`,
        [acme.id, waiting.id, drafted.id],
      )
    ).rows.map(({ answers: text }) => text as string)
  assert.equal((await rows()).filter((text) => /erase\.me/i.test(text)).length, 2)

  const person = {
    lead_ids: [],
    contact_ids: [],
    phones: [],
    names: [],
    subject_hashes: [],
    account_ids: [],
    opportunity_ids: [],
    email_keys: ['erase.me@waiting.example'],
  }
  const { counts } = await inTenant(services.db, systemActor(acme.id), (tx) => surveyErasure.erase(tx, person))

  assert.partialDeepStrictEqual(counts, { 'surveys.drafts': 1, 'surveys.unreleased_responses': 1 })
  const left = await rows()
  assert.equal(left.length, 2)
  for (const text of left) assert.ok(!/erase\.me/i.test(text) && text.includes('Kept'), text)
})

test('results of earlier versions are reduced to what may be shown', async () => {
  const survey = await createSurvey(anonymous)
  for (let n = 0; n < 6; n++)
    await respond((await invitePerson(survey.id)).token, { score: 9, reason: `R${n}`, team: 'sales' })
  await member.patch(survey.url, { status: 'closed' })
  const { rows } = await acme.sql('select id from surveys.responses where survey_id = $1', [survey.id])
  const [first, ...others] = rows.map(({ id }) => id)
  const statement = (text: string, ...values: unknown[]) => acme.sql(text, [acme.id, survey.id, ...values])
  await statement(
    `update surveys.answers set value_options = '{legal}' where tenant_id = $1 and survey_id = $2 and response_id = $3
    and value_options is not null`,
    first,
  )
  await statement(
    `update surveys.responses set language = 'de', channel = 'email', submitted_on = submitted_on - 40
    where tenant_id = $1 and survey_id = $2 and id = $3`,
    first,
  )
  await statement(`insert into surveys.score_stats (tenant_id, survey_id, day, dim, dim_value, score, n)
    values ($1, $2, '2026-01-05', 'all', '', 9, 1), ($1, $2, '2026-01-05', 'language', 'de', 9, 1)`)

  await inTenant(services.db, systemActor(acme.id), (tx) => resetAnonymousSurveys(tx, '0427_earlier'))

  const read = async (text: string) => (await statement(text)).rows
  assert.deepEqual(await read(`select dim, n::int from surveys.score_stats where tenant_id = $1 and survey_id = $2`), [
    { dim: 'all', n: 7 },
  ])
  assert.deepEqual(
    await read(`select language, channel, count(*)::int as n, count(distinct submitted_on)::int as days from surveys.responses
      where tenant_id = $1 and survey_id = $2 group by language, channel`),
    [{ language: 'en', channel: 'link', n: 1 + others.length, days: 1 }],
  )
  assert.deepEqual(
    await read(`select id from surveys.answers as answer join surveys.questions as question on question.id = answer.question_id
      where answer.tenant_id = $1 and answer.survey_id = $2 and question.key = 'team'`),
    [],
  )
})

// An admin who reads every response of the API and, after the close, the database cannot tell who answered what.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSurveysApp, surveysUrl } from '../../surveys.fixture.ts'

const app = await startSurveysApp()
const { acme, services, createSurvey, invitePerson, createLink, respond, respondByLink, countersOf } = app
const { admin, member, viewer } = acme
const readSurvey = async ({ url }: { url: string }) => (await viewer.get(url)).body
const answerOf = (number: number) => `Secret answer ${String(number).padStart(2, '0')}`
const answersIn = (text: string) => new Set(text.match(/Secret answer \d\d/g))

/** Paths without parameters, or with the id of the survey only. Health checks and streams are about no record. */
const readablePaths = (surveyId: string) =>
  services.registry.routes
    .filter(({ method, access }) => method === 'GET' && access !== 'public')
    .map(({ path }) => path.replace(/:survey_id|\{survey_id\}/, surveyId))
    .filter((path) => !/[:{*]|stream|export|download/.test(path))

async function readEverything(surveyId: string, pattern = /./): Promise<string> {
  const paths = readablePaths(surveyId).filter((path) => pattern.test(path))
  const texts: string[] = []
  for (const path of paths) texts.push((await admin.get(path)).text)
  return texts.join('\n')
}

async function readRows(table: string): Promise<{ row: string }[]> {
  const { rows } = await acme.sql(
    `select t.xmin::text || ' ' || t.xmax::text || ' ' || t.ctid::text || ' ' || t::text as row from ${table} as t
     where tenant_id = $1 order by t.ctid`,
    [acme.id],
  )
  return rows
}

test('engagement-1-10 the score of an open survey appears in groups, its answers after the end, and no row tells who responded after the close', async () => {
  const survey = await createSurvey({ anonymous: true, min_group_size: 5 })
  const invited = []
  for (let n = 0; n < 17; n++) invited.push(await invitePerson(survey.id))
  const invitationsBefore = await readRows('surveys.invitations')
  const listAudited = async () => (await acme.audit()).filter((action) => action.startsWith('survey.'))
  const auditBefore = (await listAudited()).length
  const released: (number | undefined)[] = []
  assert.ok(readablePaths(survey.id).length > 50, 'all GET routes are read')

  for (const [number, { token }] of invited.entries()) {
    assert.equal((await respond(token, { score: number % 11, reason: answerOf(number) })).status, 201)
    // The other routes are read after the first and the last response.
    const isBoundary = number === 0 || number === invited.length - 1
    const text = await readEverything(survey.id, isBoundary ? /./ : /surveys|audit/)
    assert.deepEqual([...answersIn(text)], [], `response ${number + 1}`)
    released.push((await readSurvey(survey)).headline?.n)
    assert.equal((await readSurvey(survey)).completed_count, number + 1)
  }
  const again = await respond(invited[0]!.token, { score: 0, reason: answerOf(0) })
  assert.deepEqual([again.status, again.body.code], [409, 'already_responded'])
  assert.deepEqual(released, [...Array(9).fill(undefined), ...Array(5).fill(5), ...Array(3).fill(10)])
  assert.equal((await viewer.get(`${survey.url}/responses`)).body.code, 'survey_is_anonymous')
  assert.equal((await member.patch(survey.url, { anonymous: false })).status, 409)

  assert.equal((await member.patch(survey.url, { status: 'closed' })).status, 200)

  assert.equal((await readSurvey(survey)).headline.n, 17)
  assert.equal(answersIn(await readEverything(survey.id, /surveys/)).size, 17)
  for (const table of ['used_tokens', 'drafts', 'unreleased_responses'])
    assert.deepEqual(await readRows(`surveys.${table}`), [], table)
  assert.deepEqual(await readRows('surveys.invitations'), invitationsBefore)
  assert.deepEqual((await listAudited()).slice(auditBefore), ['survey.closed'])
  const types = (await acme.events()).filter((type) => /survey\.(response|closed)/.test(type))
  assert.deepEqual(types, [...Array(3).fill('survey.responses_released'), 'survey.closed'])

  for (const table of Object.keys(services.registry.tables)) {
    const texts = (await readRows(table)).map(({ row }) => row).join('\n')
    assert.equal(answersIn(texts).size, table === 'surveys.answers' ? 17 : 0, table)
  }
  const { rows } = await acme.sql(
    `select response.*, answer.value_text from surveys.responses as response join surveys.answers as answer
       on answer.response_id = response.id and answer.value_text is not null
     where response.tenant_id = $1 and response.survey_id = $2 order by response.ctid`,
    [acme.id, survey.id],
  )
  const personal = ['invitation_id', 'contact_id', 'lead_id', 'account_id', 'submission_id', 'body_hash'] as const
  for (const row of rows) {
    for (const column of [...personal, 'duration_seconds', 'lifecycle_stage']) assert.equal(row[column], null, column)
    assert.equal(row.id[14], '4')
    assert.deepEqual([row.started_at, row.submitted_at.getTime() % 900_000], [row.submitted_at, 0])
  }
  assert.notDeepEqual(
    rows.map(({ value_text }) => value_text),
    invited.map((_, number) => answerOf(number)),
  )
  assert.equal((await countersOf(survey.id)).first_response_at, null)
  const closed = await respond(invited[0]!.token, { score: 0, reason: answerOf(0) })
  assert.deepEqual([closed.status, closed.body.reason], [410, 'closed'])
})

test('engagement-1-10 an anonymous survey shows all results at its end if they are enough, and none otherwise', async () => {
  const results = []
  for (const count of [7, 4]) {
    const survey = await createSurvey({ anonymous: true, min_group_size: 5 })
    const link = await createLink(survey)
    for (let n = 0; n < count; n++) assert.equal((await respondByLink(link, { score: 9 })).status, 201)
    await member.patch(survey.url, { status: 'closed' })
    results.push((await readSurvey(survey)).headline?.n)
    assert.equal((await member.patch(survey.url, { status: 'active' })).body.code, 'invalid_transition')
    assert.equal((await member.patch(survey.url, { anonymous: false })).body.code, 'survey_closed')
  }

  assert.deepEqual(results, [7, undefined])
})

test('responses by invitation are not shown with responses by the public link until they are a group themselves', async () => {
  const seen: unknown[] = []
  for (const [invitedCount, linkCount] of [
    [1, 11],
    [5, 4],
  ] as const) {
    const survey = await createSurvey({ anonymous: true, min_group_size: 5 })
    const link = await createLink(survey)
    for (let n = 0; n < linkCount; n++) await respondByLink(link, { score: 10, reason: 'Own answer' })
    for (let n = 0; n < invitedCount; n++)
      await respond((await invitePerson(survey.id)).token, { score: 0, reason: answerOf(n) })
    const { headline } = await readSurvey(survey)
    await member.patch(survey.url, { status: 'closed' })

    const text = await readEverything(survey.id, /surveys/)
    const { headline: closed, completed_count } = await readSurvey(survey)
    const { rows } = await acme.sql('select from surveys.unreleased_responses where survey_id = $1', [survey.id])
    seen.push([headline?.n, closed?.n, answersIn(text).size, /Own answer/.test(text), completed_count, rows.length])
  }

  assert.deepEqual(seen, [
    [5, 11, 0, true, 12, 0],
    [undefined, 5, 5, false, 9, 0],
  ])
})

test('an anonymous survey saves no drafts, and the response that fills its limit leaves no trace of its sender', async () => {
  const refused = await member.post(surveysUrl, { name: 'A', survey_type: 'nps', anonymous: true, partial_save: true })
  assert.equal(refused.body.errors[0].path, '/partial_save')
  const survey = await createSurvey({ anonymous: true, response_limit: 5, min_group_size: 5 })
  const link = await createLink(survey)
  assert.equal((await respondByLink(link, { score: 1 }, { complete: false })).body.errors[0].path, '/complete')

  for (let n = 0; n < 5; n++) assert.equal((await respondByLink(link, { score: 9 })).status, 201)

  assert.partialDeepStrictEqual(await readSurvey(survey), {
    status: 'closed',
    closed_reason: 'response_limit',
    first_response_at: null,
    headline: { n: 5 },
  })
  const { rows } = await acme.sql(
    `select actor_type, ip, user_agent, request_id from platform.audit_log
     where tenant_id = $1 and resource_id = $2 and action = 'survey.closed'`,
    [acme.id, survey.id],
  )
  assert.deepEqual(rows, [{ actor_type: 'system', ip: null, user_agent: null, request_id: null }])
})

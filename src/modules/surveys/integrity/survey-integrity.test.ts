import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIntegrityRunner } from '../../operations/integrity/integrity.fixture.ts'
import { startSurveysApp } from '../surveys.fixture.ts'

const { acme, tenant, services, createSurvey, invite, createLink, respond, respondByLink, countersOf } =
  await startSurveysApp()
const { find, findAll, assertRepairs } = createIntegrityRunner(services)
const other = await tenant()

const survey = await createSurvey()
await respond((await invite(survey.id)).token, { score: 9 })
await respondByLink(await createLink(survey), { score: 3 })
const anonymous = await createSurvey({ anonymous: true })
const link = await createLink(anonymous)
for (let n = 0; n < 11; n++) await respondByLink(link, { score: 7 })
await respond((await invite(anonymous.id)).token, { score: 2 })
const ended = await createSurvey({ anonymous: true })
await respond((await invite(ended.id)).token, { score: 2 })
await acme.member.patch(ended.url, { status: 'closed' })

test('surveys in use have no finding', async () => {
  assert.deepEqual(
    (await findAll(acme.id)).filter(({ status }) => status !== 'ok'),
    [],
  )
})

test('wrong counters of a survey are reported and counted again', async () => {
  for (const { id } of [survey, anonymous]) {
    const right = await countersOf(id)
    for (const change of [
      'completed_link = completed_link + 2',
      'invited = 9',
      'unreleased = 3',
      `score_counts[1] = 4`,
    ]) {
      await acme.sql(`update surveys.counters set ${change} where survey_id = $1`, [id])
      assert.deepEqual(await find(other.id, 'counter_drift'), [])
      await assertRepairs(acme.id, 'counter_drift', [id])
      assert.deepEqual(await countersOf(id), right)
    }
  }
})

test('a response without answers is reported', async () => {
  const { rows } = await acme.sql('select id from surveys.responses where survey_id = $1 order by id limit 1', [
    survey.id,
  ])
  await acme.sql('delete from surveys.answers where response_id = $1', [rows[0].id])

  assert.deepEqual(await find(acme.id, 'survey_response_without_answers'), [rows[0].id])
  assert.deepEqual(await find(other.id, 'survey_response_without_answers'), [])
})

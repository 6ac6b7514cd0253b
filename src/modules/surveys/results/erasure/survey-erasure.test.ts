import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { startSurveysApp } from '../../surveys.fixture.ts'
import { surveyErasure } from './survey.erasures.ts'

const { acme, services, createSurvey, invite, createLink, respond, respondByLink } = await startSurveysApp()
const emptySubject = {
  lead_ids: [],
  contact_ids: [],
  phones: [],
  names: [],
  subject_hashes: [],
  account_ids: [],
  opportunity_ids: [],
}
const erase = (email: string) =>
  inTenant(services.db, systemActor(acme.id), (tx) => surveyErasure.erase(tx, { ...emptySubject, email_keys: [email] }))

test('an erased person keeps scores in the results, but no text, address, draft or link to the person', async () => {
  const survey = await createSurvey({
    questions: [
      { key: 'score', title: 'Score', question_type: 'nps', is_primary: true },
      { key: 'reason', title: 'Why?', question_type: 'long_text' },
      { key: 'address', title: 'Your address?', question_type: 'email' },
    ],
  })
  const other = await createSurvey()
  const [erased, kept] = ['gone@customer.example', 'kept@customer.example']
  const [answered, started, ofKept] = [
    await invite(survey.id, { email: erased }),
    await invite(other.id, { email: erased }),
    await invite(survey.id, { email: kept }),
  ]
  await respond(answered.token, { score: 2, reason: 'Mine' })
  await respond(started.token, { score: 3, reason: 'Draft' }, { complete: false })
  await respond(ofKept.token, { score: 9, reason: 'Theirs' })
  await respondByLink(await createLink(survey), { score: 5, address: 'Gone@customer.example' })
  const emails = [{ email: erased }, { email: kept }, { email: 'Gone@Customer.example' }]
  await acme.sql('update surveys.distributions set audience = $2 where survey_id = $1', [
    survey.id,
    JSON.stringify({ emails }),
  ])

  const { counts } = await erase(erased)

  assert.deepEqual(counts, {
    'surveys.answers': 2,
    'surveys.responses': 1,
    'surveys.drafts': 1,
    'surveys.unreleased_responses': 0,
    'surveys.invitations': 2,
    'surveys.distributions': 2,
  })
  const tables = ['answers', 'responses', 'drafts', 'invitations', 'distributions']
  for (const table of tables) {
    const { rows } = await acme.sql(`select t::text as row from surveys.${table} as t where tenant_id = $1`, [acme.id])
    assert.doesNotMatch(rows.map(({ row }) => row).join('\n'), /gone@|Mine|Draft/i)
  }
  const { rows } = await acme.sql('select audience from surveys.distributions where survey_id = $1', [survey.id])
  assert.deepEqual(rows[0].audience.emails, [{ email: kept }, { email: kept }, { email: kept }])
  const { items } = (await acme.viewer.get(`${survey.url}/responses`)).body
  const textOf = ({ answers }: { answers: { key: string; value: unknown }[] }) =>
    answers.find(({ key }) => key === 'reason')?.value
  assert.deepEqual(items.map(textOf), [null, 'Theirs', null])
  assert.equal((await acme.viewer.get(survey.url)).body.headline.n, 3)
  assert.equal((await respond(started.token, { score: 3 })).body.reason, 'revoked')
  assert.deepEqual(Object.values((await erase(erased)).counts), [0, 0, 0, 0, 0, 0])
})

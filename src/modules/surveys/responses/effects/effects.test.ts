import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitForValue, waitUntil } from '#testing'
import { startSurveysApp } from '../../surveys.fixture.ts'

const app = await startSurveysApp()
const { acme, createSurvey, invite, createLink, respond, respondByLink } = app
await app.startTestWorker()

const newLead = async (name: string) =>
  (
    await acme.member.post('/api/leads/', {
      last_name: name,
      email: `${name}@effects.example`,
      owner_id: acme.member.userId,
    })
  ).body
const activitiesOf = async (path: string) =>
  (await acme.member.get(`${path}/activities?type=survey_responded`)).body.items
const componentsOf = async (leadId: string) =>
  (
    await acme.sql('select key, points from crm.lead_score_components where tenant_id = $1 and lead_id = $2', [
      acme.id,
      leadId,
    ])
  ).rows
const alertsOf = async (surveyId: string) =>
  (
    await acme.sql(
      `select user_id, payload from platform.notifications
       where tenant_id = $1 and kind = 'survey.negative_response' and payload->>'survey_id' = $2`,
      [acme.id, surveyId],
    )
  ).rows

test('a response is an activity of the lead and adds points to its score, once', async () => {
  const survey = await createSurvey()
  const lead = await newLead('promoter')
  const { token } = await invite(survey.id, { lead_id: lead.id, email: lead.email })
  await respond(token, { score: 10 })
  await respond(token, { score: 10 })

  const [activity, ...others] = await waitForValue(
    () => activitiesOf(`/api/leads/${lead.id}`),
    (items) => items.length > 0,
  )

  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(activity, { source: 'system', meta: { score: 10, sentiment: 'positive' } })
  assert.deepEqual(await componentsOf(lead.id), [{ key: `survey:${survey.id}`, points: 15 }])
  assert.deepEqual(await alertsOf(survey.id), [])
})

test('engagement-1-15 a detractor whose lead was converted has the activity on the contact, and the owner is notified once', async () => {
  const survey = await createSurvey({}, acme.manager)
  const lead = await newLead('detractor')
  const { token } = await invite(survey.id, { lead_id: lead.id, email: lead.email })
  const { body: converted } = await acme.member.post(`/api/leads/${lead.id}/convert`, { create_opportunity: false })
  const before = (await app.mails(acme.member.email)).length

  await respond(token, { score: 0 })

  await waitForValue(
    () => activitiesOf(`/api/contacts/${converted.contact.id}`),
    (items) => items.length === 1,
  )
  assert.deepEqual(await componentsOf(lead.id), [{ key: `survey:${survey.id}`, points: -10 }])
  const alerts = await alertsOf(survey.id)
  assert.deepEqual(
    alerts.map(({ user_id, payload }) => [user_id, payload.score]),
    [[acme.member.userId, 0]],
  )
  const mails = await app.mails(acme.member.email, before + 1)
  assert.equal(mails.length, before + 1)
  assert.match(mails.at(-1)!.subject!, /Negative response/)
})

test('the newest response decides about the points, and a deleted one no longer counts', async () => {
  const survey = await createSurvey()
  const lead = await newLead('twice')
  const first = await invite(survey.id, { lead_id: lead.id, email: lead.email })
  await respond(first.token, { score: 10 })
  await waitUntil(async () => (await componentsOf(lead.id))[0]?.points === 15)
  const second = await invite(survey.id, { lead_id: lead.id, email: lead.email })
  await respond(second.token, { score: 7 })
  await waitUntil(async () => (await componentsOf(lead.id))[0]?.points === 5)

  const { items } = (await acme.manager.get(`${survey.url}/responses`)).body
  for (const { id, score } of items) if (score === 7) await acme.manager.delete(`${survey.url}/responses/${id}`)

  await waitUntil(async () => (await componentsOf(lead.id))[0]?.points === 15)
})

test('the owner of the survey is notified about a negative response without a person', async () => {
  const survey = await createSurvey()
  await respondByLink(await createLink(survey), { score: 1 })

  const [alert] = await waitForValue(
    () => alertsOf(survey.id),
    (alerts) => alerts.length > 0,
  )

  assert.equal(alert.user_id, acme.member.userId)
})

test('40 negative answers by a public link cause no email, and those of invited persons one email an hour', async () => {
  const owner = await acme.person('member')
  const survey = await createSurvey({}, owner)
  const link = await createLink(survey, owner)
  for (let n = 0; n < 40; n++) await respondByLink(link, { score: 0 })
  await waitUntil(async () => (await alertsOf(survey.id)).length === 40)
  const byLink = (await app.mails(owner.email)).length
  for (let n = 0; n < 3; n++) {
    const { token } = await invite(survey.id, { email: `annoyed-${n}@effects.example` })
    await respond(token, { score: 0 })
    await app.mails(owner.email, 1)
  }
  await waitUntil(async () => (await alertsOf(survey.id)).length === 43)

  const { rows } = await acme.sql(
    `select count(*) filter (where by_mail)::int as by_mail, count(distinct mail_id)::int as mails,
       count(*) filter (where by_mail and mail_id is null)::int as waiting
     from platform.notifications where tenant_id = $1 and user_id = $2 and kind = 'survey.negative_response'`,
    [acme.id, owner.userId],
  )

  assert.equal(byLink, 0)
  assert.deepEqual(rows, [{ by_mail: 3, mails: 1, waiting: 2 }])
  assert.equal((await app.mails(owner.email)).length, 1)
})

test('effects can be switched off, and anonymous surveys have none', async () => {
  const silent = await createSurvey({ effects: { scoring: false, alert_on_negative: false } })
  const hidden = await createSurvey({ anonymous: true, partial_save: false })
  const [one, two] = [await newLead('silent'), await newLead('hidden')]
  const ofSilent = await invite(silent.id, { lead_id: one.id, email: one.email })
  const ofHidden = await invite(hidden.id, { lead_id: two.id, email: two.email })
  await respond(ofHidden.token, { score: 0 })
  await respond(ofSilent.token, { score: 0 })

  await waitUntil(async () => (await activitiesOf(`/api/leads/${one.id}`)).length === 1)

  assert.deepEqual(await componentsOf(one.id), [])
  assert.deepEqual([...(await alertsOf(silent.id)), ...(await alertsOf(hidden.id))], [])
  assert.deepEqual([await activitiesOf(`/api/leads/${two.id}`), await componentsOf(two.id)], [[], []])
})

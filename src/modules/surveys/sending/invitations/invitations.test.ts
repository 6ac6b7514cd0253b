import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSendingApp } from '../distributions/distributions.fixture.ts'

const { acme, tenant, createSurvey, invite, respond, distribute } = await startSendingApp()
const globex = await tenant()
const listOf = async ({ url }: { url: string }, query = '') => {
  const { status, body } = await acme.member.get(`${url}/invitations${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.items
}
const emailsOf = async (survey: { url: string }, query = '') =>
  (await listOf(survey, query)).map(({ email }: { email: string }) => email)

test('invitations are listed with their status and found by person, address and distribution', async () => {
  const survey = await createSurvey()
  const { body: lead } = await acme.member.post('/api/leads/', {
    first_name: 'Zelda',
    last_name: 'Quist',
    email: 'zelda@list.example',
  })
  const { distribution_id } = await distribute(survey, {
    lead_ids: [lead.id],
    emails: [{ email: 'Plain@list.example' }],
    send_at: new Date(Date.now() + 86_400_000).toISOString(),
  })
  const answered = await invite(survey.id, { email: 'done@list.example' })
  await respond(answered.token, { score: 9 })

  assert.deepEqual((await emailsOf(survey)).sort(), ['Plain@list.example', 'done@list.example', 'zelda@list.example'])
  assert.deepEqual(await emailsOf(survey, '?status=responded,bounced'), ['done@list.example'])
  assert.deepEqual(await emailsOf(survey, '?search=quist'), ['zelda@list.example'])
  assert.deepEqual(await emailsOf(survey, '?search=plain@list.example'), ['Plain@list.example'])
  assert.deepEqual((await emailsOf(survey, `?distribution_id=${distribution_id}`)).length, 2)
  const first = (await acme.member.get(`${survey.url}/invitations?limit=2`)).body
  const rest = (await acme.member.get(`${survey.url}/invitations?limit=2&cursor=${first.next_cursor}`)).body
  assert.deepEqual([first.items.length, rest.items.length, first.total], [2, 1, 3])
  const [shown] = await listOf(survey, '?search=quist')
  assert.partialDeepStrictEqual(shown, { lead_id: lead.id, status: 'pending', language: 'en', reminders_sent: 0 })
})

test('recipients are shown only to callers who may read the lead or contact', async () => {
  const [survey, anonymous] = [await createSurvey(), await createSurvey({ anonymous: true, partial_save: false })]
  const { body: lead } = await acme.member.post('/api/leads/', { last_name: 'Ash', email: 'lead@scope.example' })
  const { body: contact } = await acme.member.post('/api/contacts/', {
    last_name: 'Elm',
    email: 'contact@scope.example',
  })
  await invite(survey.id, { email: 'lead@scope.example', lead_id: lead.id })
  await invite(survey.id, { email: 'contact@scope.example', contact_id: contact.id })
  await invite(survey.id, { email: 'other@scope.example' })
  await invite(anonymous.id, { email: 'lead@scope.example', lead_id: lead.id })
  const readWith = async (...scopes: string[]) => {
    const { body: key } = await acme.member.post('/api/api-keys', {
      name: 'Reader',
      scopes: ['surveys.read', ...scopes],
    })
    const reader = acme.bearer(`ApiKey ${key.key}`)
    const rows = (await reader.get(`${survey.url}/invitations`)).body.items.map(
      ({ email, lead_id, contact_id }: Record<string, string | null>) => email ?? lead_id ?? contact_id,
    )
    const [hidden] = (await reader.get(`${anonymous.url}/invitations`)).body.items
    const { status } = await reader.get(`${survey.url}/invitations?search=lead@scope.example`)
    return [rows.filter((row: string | null) => row !== null).sort(), hidden.email, status]
  }

  const shown = ['contact@scope.example', 'lead@scope.example', 'other@scope.example']
  assert.deepEqual(await readWith(), [[], null, 403])
  assert.deepEqual(await readWith('contacts.read'), [[shown[0]], null, 403])
  assert.deepEqual(await readWith('leads.read'), [[shown[1]], shown[1], 403])
  assert.deepEqual(await readWith('leads.read', 'contacts.read'), [shown, shown[1], 200])
})

test('the invitations of an anonymous survey do not tell who has responded', async () => {
  const survey = await createSurvey({ anonymous: true, partial_save: false })
  const [one, other] = [
    await invite(survey.id, { email: 'a@anon.example' }),
    await invite(survey.id, { email: 'b@anon.example' }),
  ]
  const before = await listOf(survey)
  assert.equal((await respond(one.token, { score: 3 })).status, 201)

  const after = await listOf(survey)

  assert.deepEqual(after, before)
  const known = { id: other.id, email: 'b@anon.example' }
  const fields = Object.entries(after.find(({ id }: { id: string }) => id === other.id)).filter(
    ([, value]) => value !== null,
  )
  assert.partialDeepStrictEqual(Object.fromEntries(fields), known)
  assert.deepEqual(fields.map(([name]) => name).sort(), [
    'created_at',
    'distribution_id',
    'email',
    'id',
    'sent_at',
    'survey_id',
  ])
  assert.equal((await acme.member.get(`${survey.url}/invitations?status=responded`)).status, 422)
})

test('an open invitation can be revoked by the owner and managers', async () => {
  const survey = await createSurvey()
  const { id, token } = await invite(survey.id)
  const done = await invite(survey.id)
  await respond(done.token, { score: 9 })
  const url = `${survey.url}/invitations/${id}`

  assert.equal((await globex.manager.delete(url)).status, 404)
  assert.equal((await (await acme.person('member')).delete(url)).status, 403)
  assert.equal((await acme.viewer.delete(url)).status, 403)
  assert.equal((await acme.member.delete(url)).status, 204)

  const late = await respond(token, { score: 9 })
  assert.deepEqual([late.status, late.body.reason], [410, 'revoked'])
  const again = await acme.manager.delete(url)
  assert.deepEqual([again.status, again.body.code], [409, 'invalid_transition'])
  assert.equal((await acme.manager.delete(`${survey.url}/invitations/${done.id}`)).status, 409)
})

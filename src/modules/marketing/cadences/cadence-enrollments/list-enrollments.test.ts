import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import {
  cadencesUrl,
  emailStep,
  enroll,
  listEnrollments,
  newActiveCadence,
  newContact,
  newLead,
} from '../cadences/cadences.fixture.ts'

const { tenant } = await startTestApp()
const personUrl = '/api/cadences/enrollments'

test('the enrollments of a lead are listed with cadence, step and time zone', async () => {
  const acme = await tenant()
  const lead = await newLead(acme, { timezone: 'Asia/Tokyo' })
  const first = await newActiveCadence(acme, { steps: [{ type: 'call', delay_days: 1 }] })
  const second = await newActiveCadence(acme, { timezone_mode: 'fixed', timezone: 'Europe/Berlin' })
  await enroll(acme, first.id, { lead_ids: [lead] })
  const [ended] = await listEnrollments(acme, first.id)
  await acme.member.patch(`${cadencesUrl}${first.id}/enrollments/${ended.id}`, { status: 'exited' })
  await enroll(acme, second.id, { lead_ids: [lead, await newLead(acme)] })
  const list = async (query: string) =>
    (await acme.viewer.get(`${personUrl}?lead_id=${lead}&${query}`)).body.items.map(({ id }: { id: string }) => id)

  const { items, total } = (await acme.viewer.get(`${personUrl}?lead_id=${lead}`)).body

  assert.equal(total, 2)
  assert.partialDeepStrictEqual(items[0], {
    lead: { id: lead },
    status: 'active',
    cadence: { id: second.id, name: second.name, status: 'active' },
    step: { id: second.steps[0].id, position: 1, type: 'email_auto', subject_template: emailStep().subject_template },
    step_count: 2,
    timezone: 'Europe/Berlin',
  })
  assert.ok(items[0].next_run_at)
  assert.partialDeepStrictEqual(items[1], {
    id: ended.id,
    status: 'exited',
    exit_reason: 'removed',
    cadence: { id: first.id },
    step: { position: 1, type: 'call', subject_template: null },
    step_count: 1,
    timezone: 'Asia/Tokyo',
  })
  const liveId = items[0].id
  assert.deepEqual(await list('status=active,paused'), [liveId])
  assert.deepEqual(await list('status=completed,exited'), [ended.id])
  assert.deepEqual(await list('sort=enrolled_at'), [ended.id, liveId])
  const page = (await acme.viewer.get(`${personUrl}?lead_id=${lead}&limit=1`)).body
  assert.deepEqual(await list(`limit=1&cursor=${page.next_cursor}`), [ended.id])
})

test('the enrollments of a person are those of one lead or contact of the workspace', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { id } = await newActiveCadence(acme)
  const [lead, contact] = [await newLead(acme), await newContact(acme)]
  await enroll(acme, id, { contact_ids: [contact] })
  const statusOf = async (query: string, user = acme.viewer) => (await user.get(`${personUrl}?${query}`)).status

  const { items } = (await acme.viewer.get(`${personUrl}?contact_id=${contact}`)).body
  const none = (await acme.viewer.get(`${personUrl}?lead_id=${lead}`)).body
  const wrong = await acme.viewer.get(`${personUrl}?lead_id=${lead}&contact_id=${contact}`)

  assert.partialDeepStrictEqual(items, [{ lead: null, contact: { id: contact }, cadence: { id } }])
  assert.deepEqual([none.items, none.total], [[], 0])
  assert.deepEqual([wrong.status, wrong.body.errors[0].path], [422, '/lead_id'])
  assert.equal(await statusOf(''), 422)
  assert.deepEqual(
    [
      await statusOf(`lead_id=${newId()}`),
      await statusOf(`contact_id=${newId()}`),
      await statusOf(`lead_id=${contact}`),
    ],
    [404, 404, 404],
  )
  assert.deepEqual(
    [await statusOf(`lead_id=${lead}`, other.admin), await statusOf(`contact_id=${contact}`, other.admin)],
    [404, 404],
  )
  const key = await acme.member.post('/api/api-keys', { name: 'Cadences', scopes: ['cadences.read', 'leads.read'] })
  assert.equal((await acme.bearer(`ApiKey ${key.body.key}`).get(`${personUrl}?lead_id=${lead}`)).status, 403)
  await acme.member.delete(`/api/leads/${lead}`)
  assert.equal(await statusOf(`lead_id=${lead}`), 404)
})

test('contacts are enrolled by their bulk action with the same checks, and listed', async () => {
  const acme = await tenant()
  const { id: cadence_id } = await newActiveCadence(acme)
  const [good, twice] = [await newContact(acme), await newContact(acme)]
  await enroll(acme, cadence_id, { contact_ids: [twice] })
  const send = (params: object, user: Pick<typeof acme.member, 'post'> = acme.member) =>
    user.post('/api/contacts/bulk', { action: 'enroll_cadence', contact_ids: [good, twice, newId()], params })
  const key = await acme.member.post('/api/api-keys', { name: 'Writer', scopes: ['contacts.write'] })

  const withoutScope = await send({ cadence_id }, acme.bearer(`ApiKey ${key.body.key}`))
  const withoutCadence = await send({})
  const enrolled = await send({ cadence_id })

  assert.equal(withoutScope.status, 403)
  assert.equal(withoutCadence.body.errors[0].path, '/params/cadence_id')
  const codes = enrolled.body.results.map(({ code, outcome }: { code: string; outcome: string }) => code ?? outcome)
  assert.deepEqual(codes, ['ok', 'already_enrolled', 'not_found'])
  const listed = await listEnrollments(acme, cadence_id)
  assert.equal(listed.length, 2)
})

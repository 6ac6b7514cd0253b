import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { cadenceActions } from './cadence-runs.fixture.ts'
import { dispatchQueued } from './dispatch.fixture.ts'

const app = await startTestApp()
const { clock } = app
const days = 86_400

async function createWorkspace(sending: object = {}) {
  const acme = await app.tenant()
  const actions = cadenceActions(app, acme)
  await actions.setSending(sending)
  const stateOf = async (id: string) => {
    const { status, exit_reason, replied_at } = await actions.findEnrollment(id)
    return [exit_reason ?? status, replied_at !== null]
  }
  const createContact = async (input: object) =>
    (await acme.member.post('/api/contacts/', input)).body as { id: string }
  /** Enrolls a contact in the same way as the fixture enrolls leads. */
  const enrollContact = async (cadence: { id: string }, contact: { id: string }) => {
    const { body } = await acme.manager.post(`/api/cadences/${cadence.id}/enrollments`, { contact_ids: [contact.id] })
    assert.equal(body.enrolled, 1, JSON.stringify(body))
    const [{ id }] = await actions.rowsOf(
      'select id from marketing.cadence_enrollments where tenant_id = $1 and contact_id = $2',
      [contact.id],
    )
    return id as string
  }
  const log = async (path: string, activity: object) => {
    const { status, body } = await acme.member.post(`/api/${path}/activities`, activity)
    assert.equal(status, 201, JSON.stringify(body))
    return body as { id: string; version: number }
  }
  const repliesTo = async (user = acme.manager) =>
    (await user.get('/api/auth/notifications')).body.items.filter(
      ({ kind }: { kind: string }) => kind === 'cadence.replied',
    ).length
  const sendDue = async () => {
    await actions.runDue()
    return await dispatchQueued(app, actions)
  }
  return { acme, ...actions, stateOf, createContact, enrollContact, log, repliesTo, sendDue }
}

test('a reply that a user logs ends the enrollments of all records with the address, and no further step is sent', async () => {
  const { acme, createCadence, createLead, enroll, sendDue, advance, countsOf, ...own } = await createWorkspace({
    max_live_cadences_per_person: 5,
  })
  const steps = [{}, { delay_days: 1 }]
  const [first, second, third] = [await createCadence(steps), await createCadence(steps), await createCadence(steps)]
  const keeps = await createCadence(steps, { exit_on: { reply: false } })
  const lead = await createLead({ email: 'Ada@reply.example' })
  const twin = await createLead({ email: 'ada@reply.example' })
  const contact = await own.createContact({ last_name: 'Moss', email: 'ada@reply.example' })
  const other = await createLead({ email: 'bob@reply.example' })
  const [[one], [two], [kept], [untouched]] = [
    await enroll(first, [lead]),
    await enroll(second, [twin], acme.manager.userId),
    await enroll(keeps, [lead]),
    await enroll(first, [other]),
  ]
  const three = await own.enrollContact(third, contact)
  assert.equal((await sendDue()).length, 5)

  await own.log(`leads/${lead.id}`, { type: 'email', direction: 'in', subject: 'Re: Step 1', body: 'Please stop.' })

  assert.deepEqual(await Promise.all([one, two, three, kept, untouched].map((id) => own.stateOf(id!))), [
    ['replied', true],
    ['replied', true],
    ['replied', true],
    ['active', true],
    ['active', false],
  ])
  await advance(days)
  assert.deepEqual((await sendDue()).map(({ address }) => address).sort(), ['Ada@reply.example', 'bob@reply.example'])
  assert.partialDeepStrictEqual(await countsOf(second), { persons_replied: 1, exited_replied: 1 })
  assert.deepEqual([await own.repliesTo(acme.manager), await own.repliesTo(acme.member)], [1, 0])
})

test('only replies and held meetings after the enrollment end it, also if they are logged or marked as held later', async () => {
  const { acme, createCadence, createLead, enroll, log, stateOf } = await createWorkspace()
  const cadence = await createCadence([{ delay_days: 5 }])
  const hour = 3_600_000
  const at = (offset: number) => new Date(clock.now().getTime() + offset).toISOString()
  const cases: [object, string][] = [
    [{ type: 'meeting', outcome: 'no_show' }, 'active'],
    [{ type: 'meeting', outcome: 'scheduled', due_at: at(hour) }, 'active'],
    [{ type: 'meeting', outcome: 'held', occurred_at: at(-hour) }, 'active'],
    [{ type: 'meeting', outcome: 'held' }, 'meeting_booked'],
    [{ type: 'meeting_booked' }, 'meeting_booked'],
    [{ type: 'meeting_booked', occurred_at: at(-hour) }, 'active'],
    [{ type: 'email_replied', occurred_at: at(-hour) }, 'active'],
    [{ type: 'email_replied' }, 'replied'],
    [{ type: 'email', direction: 'out' }, 'active'],
    [{ type: 'note', body: 'Replied by phone' }, 'active'],
  ]
  const states = []
  for (const [n, [activity]] of cases.entries()) {
    const lead = await createLead({ email: `p${n}@meeting.example` })
    const [id] = await enroll(cadence, [lead])
    await log(`leads/${lead.id}`, activity)
    states.push((await stateOf(id!))[0])
  }
  assert.deepEqual(
    states,
    cases.map(([, expected]) => expected),
  )

  const lead = await createLead({ email: 'later@meeting.example' })
  const meeting = await log(`leads/${lead.id}`, { type: 'meeting', outcome: 'scheduled', due_at: at(hour) })
  const [id] = await enroll(cadence, [lead])
  const change = (changes: object) => acme.member.patch(`/api/leads/${lead.id}/activities/${meeting.id}`, changes)
  assert.equal((await change({ outcome: 'no_show' })).status, 200)
  const missed = await stateOf(id!)
  assert.equal((await change({ outcome: 'held' })).status, 200)
  assert.deepEqual([missed[0], (await stateOf(id!))[0]], ['active', 'meeting_booked'])
})

test('a reported reply ends all enrollments of the address, and counts for the newest email of a cadence', async () => {
  const { createCadence, createLead, enroll, sendDue, reportEmail, rowsOf, countsOf, ...own } = await createWorkspace({
    max_live_cadences_per_person: 2,
  })
  const [a, b] = [await createCadence([{}, { delay_days: 1 }]), await createCadence([{}, { delay_days: 1 }])]
  const lead = await createLead({ email: 'both@reply.example' })
  const [[x], [y]] = [await enroll(a, [lead]), await enroll(b, [lead])]
  await sendDue()
  const late = await createLead({ email: 'late@reply.example' })
  const [z] = await enroll(a, [late])
  await sendDue()
  const surveyEmail = newId()
  await rowsOf(
    `insert into crm.email_messages (tenant_id, id, kind, ref_id, to_address, to_key, lead_id, state, run_at, message_id, sent_at)
     select $1, $2, 'survey', $2, 'both@reply.example', 'both@reply.example', $3, 'sent', $4, $5, $4`,
    [surveyEmail, lead.id, new Date(clock.now().getTime() + 1_000), `<${surveyEmail}@survey.example>`],
  )

  const reply = await reportEmail({ kind: 'reply', from: 'both@reply.example', text: 'Stop writing to me' })

  assert.deepEqual([reply.status, reply.body], [200, { matched: true }])
  assert.deepEqual(await Promise.all([x, y, z].map((id) => own.stateOf(id!))), [
    ['replied', true],
    ['replied', true],
    ['active', false],
  ])
  const counts = [await countsOf(a), await countsOf(b)]
  assert.deepEqual(
    [counts.map(({ replied = 0 }) => replied).sort(), counts.map(({ persons_replied }) => persons_replied)],
    [
      [0, 1],
      [1, 1],
    ],
  )

  // A reply to an email of another kind.
  const survey = await createLead({ email: 'survey@reply.example' })
  const [s] = await enroll(a, [survey])
  const otherEmail = newId()
  await rowsOf(
    `insert into crm.email_messages (tenant_id, id, kind, ref_id, to_address, to_key, lead_id, state, run_at, message_id, sent_at)
     select $1, $2, 'survey', $2, 'survey@reply.example', 'survey@reply.example', $3, 'sent', now(), $4, now()`,
    [otherEmail, survey.id, `<${otherEmail}@survey.example>`],
  )
  await reportEmail({ kind: 'reply', in_reply_to: `<${otherEmail}@survey.example>` })
  assert.deepEqual(await own.stateOf(s!), ['replied', true])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLeads } from '#modules/crm'
import { systemActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { waitForTask, waitForValue } from '#testing'
import { prepareOptOuts } from '../../../crm/people/consent/consent.fixture.ts'
import { newSegment } from '../../../marketing/segments/segments/segments.fixture.ts'
import { respondUrl } from '../../surveys.fixture.ts'
import { linkIn, startSendingApp } from './distributions.fixture.ts'

const app = await startSendingApp()
const { acme, clock, services, db, createSurvey, distribute, listDistributions, invitationsOf, countersOf } = app
const globex = await app.tenant()
const optOut = prepareOptOuts(acme, { db, services })
const later = () => daysLater(clock.now(), 1).toISOString()
const noneSkipped = { no_email: 0, suppressed: 0, throttled: 0, already_invited: 0, duplicate: 0 }

test('engagement-1-1 every recipient gets an email with a link of their own', async () => {
  const survey = await createSurvey()
  assert.deepEqual(
    survey.questions.map(({ key }) => key),
    ['score', 'reason'],
  )

  const { distribution_id, task } = await distribute(survey, {
    emails: [{ email: 'ada@one.example', name: 'Ada Moss' }, { email: 'Bob@one.example' }],
  })

  assert.deepEqual([task.state, task.result], ['succeeded', { recipients: 2, skipped: noneSkipped }])
  await app.waitForInvitations(distribution_id, 'sent')
  const [ada] = await app.mails('ada@one.example', 1)
  const [bob] = await app.mails('bob@one.example', 1)
  const tokens = [linkIn(ada!.text!), linkIn(bob!.text!)]
  assert.equal(new Set(tokens).size, 2)
  for (const token of tokens) {
    assert.match(token, /^[\w-]{43}$/)
    assert.equal((await acme.anonymous.get(respondUrl(token))).status, 200)
  }
  assert.match(ada!.text!, /Hello Ada,/)
  assert.ok((ada!.html as string).includes(`/s/${tokens[0]}?score=10"`))
  const header = (name: string) => ada!.headerLines.find(({ key }) => key === name)!.line
  assert.match(header('list-unsubscribe'), /\/unsubscribe\/[\w-]+>/)
  assert.match(header('list-unsubscribe-post'), /One-Click/)
  const { rows } = await acme.sql('select token_hash from surveys.invitations where distribution_id = $1', [
    distribution_id,
  ])
  assert.ok(rows.every(({ token_hash }) => !tokens.includes(token_hash.toString('base64url'))))
  const [report] = await waitForValue(
    () => listDistributions(survey),
    ([first]) => first.status === 'sent',
  )
  assert.partialDeepStrictEqual(report, { recipients: 2, sent: 2, failed: 0, audience: { emails: 2 } })
  assert.partialDeepStrictEqual(await countersOf(survey.id), { invited: 2, sent: 2, bounced: 0 })
})

test('engagement-1-8 a dry run and the report have the same recipients and reasons', async () => {
  const survey = await createSurvey()
  const earlier = await createSurvey()
  const actor = { ...systemActor(acme.id), origin: 'api' as const }
  const emailOf = (n: number) =>
    n < 10 ? undefined : n < 15 ? 'Shared15@big.example' : `${n === 15 ? 'shared' : 'p'}${n}@big.example`
  const inputs = Array.from({ length: 1_000 }, (_, n) => {
    const email = emailOf(n)
    return { last_name: `Big ${n}`, company: 'Big segment', ...(email && { email }) }
  })
  for (let start = 0; start < inputs.length; start += 200)
    await inTenant(db, actor, (tx) => createLeads(tx, actor, inputs.slice(start, start + 200), services))
  for (let n = 100; n < 140; n++)
    await optOut({ email: `p${n}@big.example`, channel: 'survey', reason: 'unsubscribed', source: 'test' })
  const emails = Array.from({ length: 25 }, (_, n) => ({ email: `p${200 + n}@big.example` }))
  const before = await distribute(earlier, { emails, send_at: later(), reminder_days: [] })
  await acme.sql(
    `update surveys.invitations set status = 'responded', sent_at = now() - interval '7 days' where distribution_id = $1`,
    [before.distribution_id],
  )
  const segment = await newSegment(acme, { rules: { field: 'company', op: 'eq', value: 'Big segment' } })
  const audience = { segment_ids: [segment.id], send_at: later() }

  const preview = await acme.member.post(`${survey.url}/distribute`, { ...audience, dry_run: true })
  const stored = await listDistributions(survey)
  const { task } = await distribute(survey, audience)

  const skipped = { no_email: 10, suppressed: 40, throttled: 25, already_invited: 0, duplicate: 5 }
  assert.equal(preview.status, 200, preview.text)
  assert.deepEqual(preview.body, { recipients: 920, skipped })
  assert.deepEqual(stored, [])
  assert.deepEqual(task.result, { recipients: 920, skipped })
  const [report] = await listDistributions(survey)
  assert.partialDeepStrictEqual(report, { status: 'scheduled', recipients: 920, skipped, sent: 0 })
  const again = await acme.member.post(`${survey.url}/distribute`, { ...audience, dry_run: true })
  assert.deepEqual(again.body, {
    recipients: 0,
    skipped: { ...skipped, already_invited: 925, throttled: 25, duplicate: 0 },
  })
})

test('engagement-1-9 an email whose worker died is not sent again, and its invitation says so', async () => {
  const survey = await createSurvey()
  const { distribution_id } = await distribute(survey, { emails: [{ email: 'lost@nine.example' }], send_at: later() })
  const [invitation] = await invitationsOf(distribution_id)
  await app.owner.query(
    `update crm.email_messages set state = 'claimed', claim_id = id, claimed_at = $2 where ref_id = $1`,
    [invitation.id, daysLater(clock.now(), -1)],
  )

  await distribute(survey, { emails: [{ email: 'next@nine.example' }] })

  const [failed] = await app.waitForInvitations(distribution_id, 'failed')
  assert.deepEqual([failed.failure_reason, failed.sent_at], ['unknown', null])
  assert.equal((await app.mails('next@nine.example', 1)).length, 1)
  assert.equal((await app.mails('lost@nine.example')).length, 0)
  assert.partialDeepStrictEqual((await listDistributions(survey))[1], { status: 'sent', sent: 0, failed: 1 })
})

test('engagement-1-13 recipients get the texts of their language', async () => {
  const survey = await createSurvey({
    languages: ['en', 'de'],
    email: { subject: { en: 'Your opinion', de: 'Ihre Meinung' } },
  })

  await distribute(survey, {
    emails: [{ email: 'eve@lang.example' }, { email: 'uwe@lang.example', language: 'de' }],
  })

  const [english] = await app.mails('eve@lang.example', 1)
  const [german] = await app.mails('uwe@lang.example', 1)
  assert.deepEqual([english!.subject, german!.subject], ['Your opinion', 'Ihre Meinung'])
  assert.match(german!.text!, /Umfrage öffnen:/)
  const unknown = await acme.member.post(`${survey.url}/distribute`, {
    emails: [{ email: 'a@b.example' }],
    language: 'fr',
  })
  assert.deepEqual([unknown.status, unknown.body.errors[0].code], [422, 'unknown_language'])
})

test('engagement-1-14 surveys, persons and segments of other workspaces do not exist', async () => {
  const survey = await createSurvey()
  const foreign = await newSegment(globex, { rules: { all: [] } })
  const { body: lead } = await globex.member.post('/api/leads/', { last_name: 'Foreign' })
  const { body: contact } = await globex.member.post('/api/contacts/', { last_name: 'Foreign' })
  const send = (input: object, by = acme.member) => by.post(`${survey.url}/distribute`, input)

  for (const input of [
    { segment_ids: [foreign.id] },
    { lead_ids: [lead.id] },
    { contact_ids: [contact.id] },
    { lead_ids: [newId()], dry_run: true },
  ]) {
    const { status, body } = await send(input)
    assert.deepEqual([status, body.code], [422, 'unknown_reference'])
  }
  const emails = [{ email: 'x@y.example' }]
  assert.equal((await send({ emails }, globex.manager)).status, 404)
  assert.equal((await send({ emails }, acme.viewer)).status, 403)
  assert.equal((await send({ emails }, await acme.person('member'))).body.code, 'role_required')
  assert.equal((await globex.member.get(`${survey.url}/distributions`)).status, 404)
  assert.deepEqual(await listDistributions(survey), [])
})

test('only an active survey is sent, and invalid audiences are rejected', async () => {
  const [draft, survey] = [await createSurvey({ status: 'draft' }), await createSurvey()]
  const ofAccounts = await newSegment(acme, { object_type: 'account', rules: { all: [] } })
  const emails = [{ email: 'x@y.example' }]
  const send = (input: object, by = acme.member) => by.post(`${survey.url}/distribute`, input)
  const codeOf = async (input: object) => {
    const { status, body } = await send(input)
    return [status, body.errors?.[0].code]
  }

  assert.equal((await acme.member.post(`${draft.url}/distribute`, { emails })).body.code, 'survey_not_active')
  assert.deepEqual(await codeOf({}), [422, 'required'])
  assert.deepEqual(await codeOf({ emails, reminder_days: [3, 3] }), [422, 'order'])
  assert.deepEqual(await codeOf({ emails, send_at: daysLater(clock.now(), 91).toISOString() }), [422, 'maximum'])
  assert.deepEqual(await codeOf({ segment_ids: [ofAccounts.id] }), [422, 'object_type'])
  assert.equal((await send({ emails, ignore_throttle: true })).body.code, 'role_required')
})

test('an anonymous survey has twice as many contacts or leads as recipients as its smallest group', async () => {
  const survey = await createSurvey({ anonymous: true, partial_save: false })
  const toAudience = (names: string) => ({
    emails: [...names].map((name) => ({ email: `${name}@few.example` })),
    send_at: later(),
  })
  for (const name of 'abcdefghijkx')
    assert.equal((await acme.member.post('/api/leads/', { last_name: name, email: `${name}@few.example` })).status, 201)
  const leave = (email: string) => optOut({ email, channel: 'survey', reason: 'unsubscribed', source: 'test' })
  await leave('x@few.example')
  const send = (input: object) => acme.member.post(`${survey.url}/distribute`, input)

  const few = await send(toAudience('abcdefghiIxyz'))
  const preview = await send({ ...toAudience('abcdefghiIxyz'), dry_run: true })

  assert.deepEqual([few.status, few.body.code], [409, 'too_few_recipients'])
  assert.deepEqual([preview.status, preview.body.recipients], [200, 11])

  const held = await app.owner.connect()
  await held.query('begin')
  await held.query('select from surveys.surveys where id = $1 for no key update', [survey.id])
  const started = await send(toAudience('abcdefghij'))
  await leave('j@few.example')
  await held.query('rollback')
  held.release()
  const { state, error } = await waitForTask(acme, started.body)
  assert.deepEqual([state, error.code], ['failed', 'too_few_recipients'])
  assert.deepEqual(await invitationsOf(started.body.distribution_id), [])

  const { task } = await distribute(survey, toAudience('abcdefghik'))
  const { task: next } = await distribute(survey, toAudience('z'))
  assert.deepEqual(
    [task.result, next.result],
    [10, 1].map((recipients) => ({ recipients, skipped: noneSkipped })),
  )
  assert.equal(
    (await acme.member.post('/api/surveys/', { name: 'A', survey_type: 'nps', min_group_size: 4 })).status,
    422,
  )
})

test('an address gets no second survey within the throttle, unless a manager says so', async () => {
  const [first, second] = [await createSurvey(), await createSurvey()]
  const emails = [{ email: 'busy@throttle.example' }]
  await distribute(first, { emails, send_at: later() })
  const count = async (input: object, by = acme.member) =>
    (await by.post(`${second.url}/distribute`, { emails, dry_run: true, ...input })).body

  assert.deepEqual(await count({}), { recipients: 0, skipped: { ...noneSkipped, throttled: 1 } })
  assert.equal((await count({ ignore_throttle: true }, acme.manager)).recipients, 1)
  await acme.admin.patch('/api/admin/settings', { surveys: { throttle_days: 0 } })
  assert.equal((await count({})).recipients, 1)
  await acme.admin.patch('/api/admin/settings', { surveys: { throttle_days: 30 } })
})

test('a contact comes before a lead, and a lead before an address, with the segments of the audience', async () => {
  const survey = await createSurvey()
  const email = 'twice@person.example'
  const { body: lead } = await acme.member.post('/api/leads/', { last_name: 'Twice', company: 'Two segments', email })
  const { body: contact } = await acme.member.post('/api/contacts/', { first_name: 'Tia', last_name: 'Twice', email })
  const rules = { field: 'company', op: 'eq', value: 'Two segments' }
  const [one, two] = [await newSegment(acme, { rules }), await newSegment(acme, { rules })]
  const audience = { emails: [{ email }], lead_ids: [lead.id], segment_ids: [one.id, two.id] }

  const ofLead = await distribute(survey, { ...audience, send_at: later() })
  const [invitation] = await invitationsOf(ofLead.distribution_id)
  const ofContact = await distribute(
    await createSurvey(),
    { ...audience, contact_ids: [contact.id], ignore_throttle: true, send_at: later() },
    acme.manager,
  )
  const [other] = await invitationsOf(ofContact.distribution_id)

  assert.deepEqual(ofLead.task.result, { recipients: 1, skipped: { ...noneSkipped, duplicate: 3 } })
  assert.deepEqual([invitation.lead_id, invitation.contact_id], [lead.id, null])
  assert.deepEqual(invitation.segment_ids.sort(), [one.id, two.id].sort())
  assert.equal(other.contact_id, contact.id)
})

test('two distributions at the same time invite an address once', async () => {
  const surveys = [await createSurvey(), await createSurvey()]
  const emails = Array.from({ length: 20 }, (_, n) => ({ email: `race${n}@race.example` }))
  const send = ({ url }: { url: string }) => acme.member.post(`${url}/distribute`, { emails, send_at: later() })

  const started = await Promise.all([...surveys, ...surveys].map(send))
  const tasks = await Promise.all(started.map(({ body }) => waitForTask(acme, body)))

  const recipients = tasks.map(({ result }) => result.recipients)
  assert.equal(
    recipients.reduce((sum, n) => sum + n, 0),
    20,
    recipients.join(),
  )
})

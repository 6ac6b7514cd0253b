import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLater } from '#platform/clock'
import { newId } from '#platform/ids'
import { waitForValue, waitUntil } from '#testing'
import { prepareOptOuts } from '../../../crm/people/consent/consent.fixture.ts'
import { linkIn, startSendingApp } from './distributions.fixture.ts'

const app = await startSendingApp()
const { acme, clock, services, db, createSurvey, distribute, listDistributions, invitationsOf, countersOf } = app
const globex = await app.tenant()
const optOut = prepareOptOuts(acme, { db, services })
const later = () => daysLater(clock.now(), 1).toISOString()

test('a cancelled distribution sends nothing more, and its links no longer work', async () => {
  const survey = await createSurvey()
  const { distribution_id } = await distribute(survey, { emails: [{ email: 'late@cancel.example' }], send_at: later() })
  const url = `${survey.url}/distributions/${distribution_id}/cancel`

  assert.equal((await (await acme.person('member')).post(url)).status, 403)
  assert.equal((await globex.manager.post(url)).status, 404)
  const cancelled = await acme.member.post(url)
  await app.waitForInvitations(distribution_id, 'revoked')
  await app.startWaiting()

  assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'cancelled'])
  assert.equal((await acme.member.post(url)).status, 200)
  await distribute(survey, { emails: [{ email: 'other@cancel.example' }] })
  assert.equal((await app.mails('other@cancel.example', 1)).length, 1)
  assert.equal((await app.mails('late@cancel.example')).length, 0)
})

test('emails of a paused survey wait and are sent when it is active again', async () => {
  const [survey, other] = [await createSurvey(), await createSurvey()]
  const { distribution_id } = await distribute(survey, { emails: [{ email: 'wait@pause.example' }], send_at: later() })
  await acme.member.patch(survey.url, { status: 'paused' })
  await app.startWaiting()
  await distribute(other, { emails: [{ email: 'first@pause.example' }] })
  assert.equal((await app.mails('first@pause.example', 1)).length, 1)

  const [waiting] = await waitForValue(
    () =>
      app.rowsOf(`select state, attempts, run_at from crm.email_messages where to_address = 'wait@pause.example'`, []),
    ([email]) => email.run_at > clock.now(),
  )
  assert.deepEqual([waiting.state, waiting.attempts], ['waiting', 0])
  await acme.member.patch(survey.url, { status: 'active' })
  await app.startWaiting()
  await app.waitForInvitations(distribution_id, 'sent')
})

test('a hard bounce and an opt-out end an invitation, and the figures say so', async () => {
  const survey = await createSurvey()
  const { distribution_id } = await distribute(survey, { emails: [{ email: 'gone@bounce.example' }] })
  const [invitation] = await app.waitForInvitations(distribution_id, 'sent')
  const [email] = await app.rowsOf('select message_id from crm.email_messages where ref_id = $1', [invitation.id])
  await acme.admin.post('/api/leads/email-events', {
    external_id: newId(),
    kind: 'bounce',
    bounce_type: 'hard',
    message_id: email.message_id,
    received_at: clock.now().toISOString(),
  })
  const refused = await distribute(survey, { emails: [{ email: 'no@bounce.example' }], send_at: later() })
  await optOut({ email: 'no@bounce.example', channel: 'survey', reason: 'unsubscribed', source: 'test' })
  await app.startWaiting()
  await distribute(survey, { emails: [{ email: 'yes@bounce.example' }] })

  await app.waitForInvitations(distribution_id, 'bounced')
  const [unsubscribed] = await app.waitForInvitations(refused.distribution_id, 'unsubscribed')
  assert.equal(unsubscribed.failure_reason, 'opted_out')
  await waitUntil(async () => (await countersOf(survey.id)).sent === 2)
  assert.partialDeepStrictEqual(await countersOf(survey.id), { invited: 3, sent: 2, bounced: 1 })
  const reports = await listDistributions(survey)
  assert.deepEqual(
    reports.map(({ sent, bounced, unsubscribed: ended }: Record<string, number>) => [sent, bounced, ended]),
    [
      [1, 0, 0],
      [0, 0, 1],
      [1, 1, 0],
    ],
  )
})

test('reminders go once to those who have not responded', async () => {
  const survey = await createSurvey({ reminder_days: [3, 7] })
  const emails = ['done@remind.example', 'open@remind.example'].map((email) => ({ email }))
  const { distribution_id } = await distribute(survey, { emails })
  await app.waitForInvitations(distribution_id, 'sent')
  const [mail] = await app.mails('done@remind.example', 1)
  assert.equal((await app.respond(linkIn(mail!.text!), { score: 9 })).status, 201)

  await app.startNextReminder(distribution_id)
  await app.mails('open@remind.example', 2)
  await app.startNextReminder(distribution_id)

  const mails = await app.mails('open@remind.example', 3)
  assert.deepEqual(
    mails.map(({ subject }) => subject!.startsWith('Reminder: ')),
    [false, true, true],
  )
  assert.deepEqual(new Set(mails.map(({ text }) => linkIn(text!))).size, 1)
  assert.equal((await app.mails('done@remind.example')).length, 1)
  const rows = await invitationsOf(distribution_id)
  assert.deepEqual(
    rows.map(({ status, reminders_sent }) => [status, reminders_sent]),
    [
      ['responded', 0],
      ['sent', 2],
    ],
  )
})

test('a person who was deleted gets neither an invitation nor a reminder, and the link is revoked', async () => {
  const survey = await createSurvey({ reminder_days: [3] })
  const newContact = async (name: string) =>
    (await acme.member.post('/api/contacts/', { last_name: name, email: `${name}@deleted.example` })).body
  const [invited, waiting] = [await newContact('invited'), await newContact('waiting')]
  const { distribution_id } = await distribute(survey, { contact_ids: [invited.id] })
  await app.waitForInvitations(distribution_id, 'sent')
  const planned = await distribute(survey, { contact_ids: [waiting.id], send_at: later() })
  for (const { id } of [invited, waiting]) assert.equal((await acme.admin.delete(`/api/contacts/${id}`)).status, 204)

  await app.startNextReminder(distribution_id)
  await app.waitForInvitations(distribution_id, 'revoked')
  await app.startWaiting()
  await app.waitForInvitations(planned.distribution_id, 'revoked')

  assert.equal((await app.mails('invited@deleted.example', 1)).length, 1)
  assert.equal((await app.mails('waiting@deleted.example')).length, 0)
})

test('a distribution whose last waiting invitation was revoked ends', async () => {
  const survey = await createSurvey()
  const emails = [{ email: 'revoked@last.example' }]
  const { distribution_id } = await distribute(survey, { emails, send_at: later(), reminder_days: [] })
  const [invitation] = await invitationsOf(distribution_id)
  assert.equal((await acme.manager.delete(`${survey.url}/invitations/${invitation.id}`)).status, 204)

  await app.startWaiting()

  await waitUntil(async () => (await listDistributions(survey))[0].status === 'sent')
  assert.equal((await app.mails('revoked@last.example')).length, 0)
})

const setSending = async (sending: object) =>
  assert.equal((await acme.manager.put('/api/leads/settings', { sending })).status, 200)

test('emails above the daily limit are sent on the next day, and the distribution says when', async () => {
  // Three days, because the day may change while the test runs.
  const setSent = (sent: number) =>
    acme.sql(
      `insert into crm.email_send_counters (tenant_id, day, emails) select $1, current_date + n, $2 from generate_series(-1, 1) as n
       on conflict (tenant_id, day) do update set emails = excluded.emails`,
      [acme.id, sent],
    )
  await setSent(1_000)
  await setSending({ daily_limit_tenant: 1_001 })
  // Waiting reminders would start with the waiting emails.
  const survey = await createSurvey({ reminder_days: [] })
  const emails = ['one@limit.example', 'two@limit.example'].map((email) => ({ email }))
  const before = clock.now()

  const { distribution_id } = await distribute(survey, { emails, expires_in_days: 1 })

  const [report] = await waitForValue(
    () => listDistributions(survey),
    ([first]) => first.sent === 1 && first.continues_at !== null,
  )
  await acme.anonymous.post('/api/auth/forgot-password', { email: acme.member.email })
  assert.equal((await app.mails(acme.member.email, 1)).length, 1, 'other emails are not limited')
  assert.equal(report.status, 'sending')
  assert.ok(new Date(report.continues_at) > before && new Date(report.continues_at) <= daysLater(clock.now(), 1))
  const [waiting] = await app.rowsOf(
    `select expires_at from surveys.invitations where tenant_id = $1 and distribution_id = $2 and status = 'pending'`,
    [acme.id, distribution_id],
  )
  assert.ok(waiting.expires_at >= daysLater(new Date(report.continues_at), 1), 'the link works for a whole day')
  await setSent(0)
  await app.startWaiting()
  await app.waitForInvitations(distribution_id, 'sent')
  for (const { email } of emails) assert.equal((await app.mails(email, 1)).length, 1)
  await setSending({})
})

test('members link only to domains of the workspace and write to few unknown addresses', async () => {
  const survey = await createSurvey()
  const emails = [{ email: 'new@policy.example' }, { email: 'known@policy.example' }, { email: 'other@policy.example' }]
  await acme.member.post('/api/leads/', { last_name: 'Known', email: 'known@policy.example' })
  await setSending({
    from_address: 'sales@acme.example',
    link_domains: ['acme.org'],
    daily_limit_unknown_addresses: 1,
  })
  const send = async (input: object, by = acme.member) => {
    const { status, body } = await by.post(`${survey.url}/distribute`, { dry_run: true, ...input })
    return body.errors ? [status, body.errors[0].path, body.errors[0].code] : [status, body.code]
  }
  const linked = { emails: emails.slice(0, 2), message: 'Hi {{first_name}}, sign in at https://evil.example/login' }

  assert.deepEqual(await send(linked), [403, 'role_required'])
  assert.deepEqual(await send({ ...linked, message: 'https://{{first_name}}' }), [403, 'role_required'])
  assert.deepEqual(await send({ ...linked, message: '{{first_name | evil.com}}' }), [403, 'role_required'])
  assert.deepEqual(await send({ ...linked, subject: 'See www.evil.example', message: 'Hi' }), [403, 'role_required'])
  assert.deepEqual(await send({ ...linked, message: 'https://acme.example www.acme.org {{survey_link}}' }), [
    200,
    undefined,
  ])
  assert.deepEqual(await send(linked, acme.manager), [200, undefined])
  assert.deepEqual(await send({ emails }), [422, '/emails', 'too_many'])
  assert.deepEqual(await send({ emails }, acme.manager), [200, undefined])
  const body = { email: { body: 'See https://evil.example' } }
  assert.equal((await acme.member.patch(survey.url, body)).body.code, 'role_required')
  assert.equal((await acme.manager.patch(survey.url, body)).status, 200)
  assert.equal((await acme.member.patch(survey.url, { email: { subject: 'Hello' } })).status, 200)
  await setSending({})
})

test('a survey names the workspace, its owner or an allowed sender; another one is replaced when it is sent', async () => {
  const survey = await createSurvey()
  const save = async (email: object, by = acme.member) => (await by.patch(survey.url, { email })).body
  const foreign = { from_name: 'Example Bank Security', reply_to: 'help@evil.example' }

  const rejected = await save(foreign, acme.admin)
  const own = await save({ from_name: acme.member.name, reply_to: acme.member.email })
  await setSending({ allowed_from_names: [foreign.from_name], allowed_reply_to: [foreign.reply_to] })
  const allowed = await save(foreign)
  await setSending({})
  const renamed = (await acme.member.patch(survey.url, { name: 'Renamed' })).body
  await distribute(survey, { emails: [{ email: 'reader@sender.example' }] })
  const [mail] = await app.mails('reader@sender.example', 1)

  assert.deepEqual(
    rejected.errors.map(({ path, code }: Record<string, string>) => [path, code]),
    [
      ['/email/from_name', 'not_allowed'],
      ['/email/reply_to', 'not_allowed'],
    ],
  )
  assert.deepEqual([own.email.unapproved, allowed.email.unapproved], [[], []])
  assert.partialDeepStrictEqual(renamed.email, { ...foreign, unapproved: ['from_name', 'reply_to'] })
  assert.deepEqual([mail!.from!.value[0]!.name, mail!.replyTo], [acme.name, undefined])
  const created = await acme.member.post('/api/surveys/', { name: 'New', survey_type: 'nps', email: foreign })
  assert.equal(created.status, 422)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLater } from '#platform/clock'
import { newId } from '#platform/ids'
import { waitForValue, waitUntil } from '#testing'
import { prepareOptOuts } from '../../crm/consent/consent.fixture.ts'
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitForValue, waitUntil } from '#testing'
import { cadenceActions } from './cadence-runs.fixture.ts'

const app = await startTestApp({}, { isOwn: true })
const { clock } = app
const acme = await app.tenant()
const actions = cadenceActions(app, acme)
const { createCadence, createLead, enroll, runDue, reportEmail, findEnrollment, listRunsOf, waitForRun, countsOf } =
  actions
await actions.setSending({})
await app.startTestWorker()
const days = 86_400

test('emails are sent step by step, in the name of the sender and in one thread', async () => {
  const cadence = await createCadence([
    { subject_template: 'Hello {{ first_name }}', body_template: 'Dear {{ name }}\n\n{{ sender.name }}' },
    { delay_days: 2, reply_in_thread: true },
  ])
  const lead = await createLead({ first_name: 'Ada', email: 'ada@steps.example' })
  const [id] = await enroll(cadence, [lead])
  await runDue()
  const [first] = await app.mails('ada@steps.example', 1)
  const sent = await waitForRun(id!, 1, 'done')
  await runDue()
  assert.equal((await app.mails('ada@steps.example')).length, 1, 'the second step is not due yet')
  const [, second] = await listRunsOf(id!)
  const before = await findEnrollment(id!)
  await actions.advance(2 * days)
  await runDue()
  const [, reply] = await app.mails('ada@steps.example', 2)
  const done = await actions.waitForEnrollment(id!, 'completed')

  assert.equal(first!.subject, 'Hello Ada')
  assert.match(first!.text!, /^Dear Ada Moss\n\n.+\n\n-- \n.+\n1 Main Street\nUnsubscribe: http/)
  assert.equal(first!.from!.value[0]!.name, acme.member.name)
  assert.equal(first!.replyTo!.text, acme.member.email)
  assert.deepEqual([before.current_step_id, before.next_run_at], [cadence.stepIds[1], second.run_at])
  assert.equal(second.run_at.getTime() - sent.done_at.getTime(), 2 * days * 1_000)
  assert.equal(reply!.subject, 'Re: Hello Ada')
  assert.equal(reply!.inReplyTo, first!.messageId)
  assert.deepEqual([done.next_run_at, done.exit_reason], [null, null])
  await waitUntil(async () => (await countsOf(cadence)).completed === 1)
  assert.partialDeepStrictEqual(await countsOf(cadence), { sent: 2, persons_delivered: 1, completed: 1 })
  const activities = async () =>
    (await acme.member.get(`/api/leads/${lead.id}/activities?type=email_sent`)).body.items.map(
      ({ subject }: { subject: string }) => subject,
    )
  assert.deepEqual(await waitForValue(activities, (subjects) => subjects.length === 2), ['Re: Hello Ada', 'Hello Ada'])
})

test('a URL in the name of a person is neither a link nor tracked, a URL of the template is', async () => {
  const cadence = await createCadence([
    { body_template: 'Dear {{ first_name }}, see https://acme.example/for/{{ company }} and https://{{ company }}' },
  ])
  const lead = await createLead({
    first_name: 'https://evil.example/phish',
    company: 'evil.example/a b',
    email: 'links@steps.example',
  })
  await enroll(cadence, [lead])
  await runDue()
  const [mail] = await app.mails('links@steps.example', 1)
  const urls = [...String(mail!.html).matchAll(/<a href="([^"]+)"/g)].map(([, url]) => new URL(url!))
  const tracked = urls.filter(({ pathname }) => pathname.startsWith('/api/public/click/'))
  const clicked = await acme.anonymous.get(tracked[0]!.pathname)

  assert.match(mail!.text!, /^Dear https:\/\/evil\.example\/phish, see \S+\/api\/public\/click\/\S+ and https:\/\/evil/)
  assert.deepEqual([urls.length, tracked.length], [2, 1], 'the other link unsubscribes')
  assert.equal(clicked.headers.location, 'https://acme.example/for/evil.example%2Fa%20b')
})

test('crm-5-4 a person who unsubscribes between planning and run gets no email, and the enrollment exits as opted out', async () => {
  const cadence = await createCadence([{ delay_hours: 1 }])
  const [early, late] = [
    await createLead({ email: 'early@out.example' }),
    await createLead({ email: 'late@out.example' }),
  ]
  const [first, second] = await enroll(cadence, [early, late])
  const optOut = (id: string) =>
    acme.member.put(`/api/leads/${id}/consent`, { email_status: 'unsubscribed', basis: 'none', source: 'call' })
  assert.equal((await optOut(early.id)).status, 200)
  assert.equal((await actions.waitForEnrollment(first!, 'exited')).exit_reason, 'opted_out')
  // The second opt-out is not announced before the run.
  await acme.sql(`update crm.leads set email_status = 'unsubscribed' where tenant_id = $1 and id = $2`, [
    acme.id,
    late.id,
  ])
  await actions.advance(3_601)
  await runDue()

  const ended = await actions.waitForEnrollment(second!, 'exited')
  assert.equal(ended.exit_reason, 'opted_out')
  const emails = await actions.rowsOf(
    `select id from crm.email_messages where tenant_id = $1 and to_address like '%@out.example'`,
  )
  assert.deepEqual(emails, [])
  assert.deepEqual(
    [...(await listRunsOf(first!)), ...(await listRunsOf(second!))].map(({ state, skip_reason }) => [
      state,
      skip_reason,
    ]),
    [
      ['skipped', 'enrollment_ended'],
      ['skipped', 'enrollment_ended'],
    ],
  )
  assert.equal((await countsOf(cadence)).exited_opted_out, 2)
})

test('crm-5-10 an empty variable without a fallback pauses the enrollment, and nothing is sent until it has a value', async () => {
  const cadence = await createCadence([{ body_template: 'Dear {{ title }}' }])
  const lead = await createLead({ email: 'untitled@x.example' })
  const [id] = await enroll(cadence, [lead])
  await runDue()

  const paused = await actions.waitForEnrollment(id!, 'paused')
  assert.equal(paused.paused_reason, 'missing_variable')
  assert.equal((await app.mails('untitled@x.example')).length, 0)
  const notifications = async () => (await acme.member.get('/api/auth/notifications')).body.items as { kind: string }[]
  await waitUntil(async () => (await notifications()).some(({ kind }) => kind === 'cadence.enrollments_paused'))
  await acme.member.patch(`/api/leads/${lead.id}`, { title: 'Director' })
  await acme.sql('update marketing.cadence_enrollments set paused_until = $2 where tenant_id = $1 and id = $3', [
    acme.id,
    clock.now(),
    id,
  ])
  await runDue()
  const [mail] = await app.mails('untitled@x.example', 1)
  assert.match(mail!.text!, /^Dear Director/)
  await actions.waitForEnrollment(id!, 'completed')
})

test('crm-5-6 a reply ends the enrollment and scores the lead, an automatic reply pauses it for five days, and a repeated report changes nothing', async () => {
  const cadence = await createCadence([{}, { delay_days: 1 }])
  const [lead, absent] = [
    await createLead({ email: 'reply@x.example' }),
    await createLead({ email: 'absent@x.example' }),
  ]
  const [id, absentId] = await enroll(cadence, [lead, absent])
  await runDue()
  const [mail] = await app.mails('reply@x.example', 1)
  const [absentMail] = await app.mails('absent@x.example', 1)
  await Promise.all([waitForRun(id!, 1, 'done'), waitForRun(absentId!, 1, 'done')])
  const scoreBefore = (await acme.member.get(`/api/leads/${lead.id}`)).body.engagement_score

  const reply = { kind: 'reply', in_reply_to: mail!.messageId, external_id: 'reply-1', from: 'reply@x.example' }
  const responses = [await reportEmail(reply), await reportEmail(reply)]
  const absence = {
    kind: 'reply',
    in_reply_to: absentMail!.messageId,
    from: 'absent@x.example',
    auto_submitted: 'auto-replied',
  }
  assert.equal((await reportEmail(absence)).status, 200)

  assert.deepEqual(
    responses.map(({ status, body }) => [status, body]),
    [
      [200, { matched: true }],
      [200, { matched: true }],
    ],
  )
  const ended = await findEnrollment(id!)
  assert.deepEqual([ended.status, ended.exit_reason], ['exited', 'replied'])
  const replied = (await acme.member.get(`/api/leads/${lead.id}`)).body
  assert.equal(replied.status, 'working')
  assert.ok(replied.engagement_score > scoreBefore)
  const logged = (await acme.member.get(`/api/leads/${lead.id}/activities?type=email_replied`)).body.items
  assert.equal(logged.length, 1)
  assert.partialDeepStrictEqual(await countsOf(cadence), { replied: 1, persons_replied: 1, exited_replied: 1 })
  const paused = await findEnrollment(absentId!)
  assert.deepEqual([paused.status, paused.paused_reason], ['paused', 'auto_reply'])
  const waiting = paused.paused_until.getTime() - clock.now().getTime()
  assert.ok(waiting > 5 * days * 1_000 - 60_000 && waiting <= 5 * days * 1_000)
  await actions.advance(4 * days)
  await runDue()
  assert.equal((await findEnrollment(absentId!)).status, 'paused')
  await actions.advance(days + 1)
  await runDue()
  assert.equal((await app.mails('absent@x.example', 2)).length, 2)
  assert.equal((await app.mails('reply@x.example')).length, 1)
  await actions.waitForEnrollment(absentId!, 'completed')
})

test('all marketing emails of a workspace share the daily limit, and a cadence continues on the next day', async () => {
  const globex = await app.tenant()
  const own = cadenceActions(app, globex)
  await own.setSending({ daily_limit_tenant: 2 })
  // An email of another kind on every day, because the day may change while the test runs.
  await globex.sql(
    `insert into crm.email_send_counters (tenant_id, day, emails) select $1, current_date + n, 1 from generate_series(-1, 3) as n`,
    [globex.id],
  )
  const cadence = await own.createCadence([{}])
  const leads = [
    await own.createLead({ email: 'a@shared.example' }),
    await own.createLead({ email: 'b@shared.example' }),
  ]
  const ids = await own.enroll(cadence, leads)
  await own.runDue()
  const states = async () => (await Promise.all(ids.map((id) => own.listRunsOf(id)))).flat().map(({ state }) => state)
  const first = await waitForValue(states, (all) => all.includes('done'))
  await own.advance(days)
  await own.runDue()

  assert.deepEqual(first.sort(), ['done', 'waiting'])
  assert.deepEqual(await waitForValue(states, (all) => !all.includes('claimed')), ['done', 'done'])
})

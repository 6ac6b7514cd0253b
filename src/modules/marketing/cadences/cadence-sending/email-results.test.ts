import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitForValue, waitUntil } from '#testing'
import { startSmtpServer } from '../../../../platform/mail/smtp-server.stand-in.ts'
import { cadenceActions } from './cadence-runs.fixture.ts'

const app = await startTestApp({}, { isOwn: true })
const { clock, services } = app
const acme = await app.tenant()
const actions = cadenceActions(app, acme)
const { createCadence, createLead, enroll, runDue, reportEmail, findEnrollment, listRunsOf, waitForRun, countsOf } =
  actions
await actions.setSending({})
await app.startTestWorker()
const days = 86_400

test('crm-5-7 a cadence that was paused for three weeks sends each person at most one email, spread over days by the limits', async () => {
  const globex = await app.tenant()
  const own = cadenceActions(app, globex)
  await own.setSending({ daily_limit_per_sender: 2, daily_limit_tenant: 3 })
  const cadence = await own.createCadence([{ delay_days: 1 }, { delay_days: 1 }, { delay_days: 1 }])
  const leads = []
  for (let n = 1; n <= 7; n++) leads.push(await own.createLead({ email: `p${n}@limits.example` }))
  const ids = [
    ...(await own.enroll(cadence, leads.slice(0, 4))),
    ...(await own.enroll(cadence, leads.slice(4), globex.manager.userId)),
  ]
  const setStatus = async (status: string) =>
    assert.equal((await globex.manager.patch(`/api/cadences/${cadence.id}`, { status })).status, 200)
  await setStatus('paused')
  await own.advance(21 * days)
  await own.runDue()
  const stopped = await own.rowsOf('select state, skip_reason from marketing.cadence_step_runs where tenant_id = $1')
  assert.deepEqual(
    new Set(stopped.map(({ state, skip_reason }) => `${state} ${skip_reason}`)),
    new Set(['skipped paused']),
  )

  await setStatus('active')
  await waitUntil(
    async () =>
      (await own.rowsOf(`select id from marketing.cadence_step_runs where tenant_id = $1 and state = 'waiting'`))
        .length === 7,
  )
  await own.runDue()
  await own.runDue()
  const claimed = await own.rowsOf(
    'select sender_id, emails from marketing.cadence_send_counts where tenant_id = $1 order by emails',
  )
  assert.deepEqual(
    claimed.map(({ emails }) => emails),
    [1, 2],
  )
  const sent = async () =>
    (await own.rowsOf(`select to_address from crm.email_messages where tenant_id = $1 and state = 'sent'`)).map(
      ({ to_address }) => to_address,
    )
  assert.equal((await waitForValue(sent, (all) => all.length === 3)).length, 3)
  const runs = await Promise.all(ids.map((id) => own.listRunsOf(id)))
  assert.ok(runs.every((ofPerson) => ofPerson.filter(({ state }) => state !== 'waiting').length <= 1))
  for (const total of [6, 7]) {
    await own.advance(days)
    // Steps of the persons who got their email are not due in this test.
    await globex.sql(
      `delete from marketing.cadence_step_runs run using marketing.cadence_steps step
       where run.tenant_id = $1 and step.id = run.step_id and step.position > 1`,
      [globex.id],
    )
    await own.runDue()
    await waitForValue(sent, (addresses) => addresses.length === total)
  }
  const all = await sent()
  assert.equal(new Set(all).size, 7, 'no person got two emails')
})

test('a hard bounce ends the enrollment, and too many of them pause the cadence', async () => {
  const cadence = await createCadence([{}, { delay_days: 1 }])
  const other = await createCadence([{}, { delay_days: 1, type: 'task' }], { exit_on: { bounce: false } })
  const leads = [
    await createLead({ email: 'gone1@bounce.example' }),
    await createLead({ email: 'gone2@bounce.example' }),
  ]
  const [[id], [kept]] = [await enroll(cadence, [leads[0]!]), await enroll(other, [leads[1]!])]
  await runDue()
  await Promise.all([waitForRun(id!, 1, 'done'), waitForRun(kept!, 1, 'done')])
  // 99 earlier emails of the day, five of which bounced.
  await acme.sql(
    `insert into marketing.cadence_enrollments (tenant_id, id, cadence_id, lead_id, sender_id, enrolled_via, status, ended_at)
     select $1, gen_random_uuid(), $2, $3, $4, 'manual', 'completed', now() from generate_series(1, 99)`,
    [acme.id, cadence.id, leads[0]!.id, acme.member.userId],
  )
  await acme.sql(
    `insert into marketing.cadence_step_runs (tenant_id, id, enrollment_id, cadence_id, step_id, state, run_at, done_at, reserved_on, bounced_at)
     select $1, gen_random_uuid(), id, $2, $3, 'done', now(), $4::timestamptz, current_date, case when row_number() over () <= 5 then now() end
     from marketing.cadence_enrollments where tenant_id = $1 and cadence_id = $2 and status = 'completed'`,
    [acme.id, cadence.id, cadence.stepIds[0], new Date(clock.now().getTime() - 3_600_000)],
  )
  for (const address of ['gone1@bounce.example', 'gone2@bounce.example']) {
    const [mail] = await app.mails(address, 1)
    assert.equal((await reportEmail({ kind: 'bounce', bounce_type: 'hard', message_id: mail!.messageId })).status, 200)
  }

  assert.equal((await actions.waitForEnrollment(id!, 'exited')).exit_reason, 'bounced')
  await waitUntil(async () => (await countsOf(other)).bounced === 1)
  assert.equal((await findEnrollment(kept!)).status, 'active')
  assert.partialDeepStrictEqual(await countsOf(other), { sent: 1, bounced: 1 })
  assert.equal((await countsOf(other)).persons_delivered, undefined)
  const cadenceRow = () =>
    actions.rowsOf('select status, paused_reason from marketing.cadences where tenant_id = $1 and id = $2', [
      cadence.id,
    ])
  const [paused] = await waitForValue(cadenceRow, ([row]) => row.status === 'paused')
  assert.equal(paused.paused_reason, 'bounces')
  const events = await actions.rowsOf(
    `select data from platform.outbox_events where tenant_id = $1 and type = 'cadence.auto_paused'`,
  )
  assert.deepEqual(
    events.map(({ data }) => data),
    [{ sent: 100, bounced: 6 }],
  )
})

test('a bounce of a former address does not end the enrollment, whose step is sent once to each address', async () => {
  const cadence = await createCadence([{}, { delay_days: 1 }])
  const [lead, other] = [
    await createLead({ email: 'typo@corrected.example' }),
    await createLead({ email: 'other@corrected.example' }),
  ]
  const [id] = await enroll(cadence, [lead])
  await runDue()
  await waitForRun(id!, 1, 'done')
  const [mail] = await app.mails('typo@corrected.example', 1)
  const correct = async (leadId: string, email: string) =>
    assert.equal((await acme.member.patch(`/api/leads/${leadId}`, { email })).status, 200)
  const enrollments = `/api/cadences/${cadence.id}/enrollments`

  await correct(lead.id, 'right@corrected.example')
  await reportEmail({ kind: 'bounce', bounce_type: 'hard', message_id: mail!.messageId })
  await waitUntil(async () => (await countsOf(cadence)).bounced === 1)
  assert.equal((await findEnrollment(id!)).status, 'active')
  await actions.advance(days)
  await runDue()
  await waitForRun(id!, 2, 'done')

  const [otherId] = await enroll(cadence, [other])
  await correct(other.id, 'right@corrected.example')
  await runDue()
  await waitForRun(otherId!, 1, 'done')
  await actions.advance(days)
  await runDue()
  const [, second] = await listRunsOf(otherId!)
  assert.deepEqual([second.state, second.skip_reason], ['skipped', 'already_sent'])
  const subjects = (await app.mails('right@corrected.example')).map(({ subject }) => subject)
  assert.deepEqual(subjects.toSorted(), ['Step 1', 'Step 2'])
  const again = await acme.manager.post(enrollments, { lead_ids: [lead.id] })
  assert.equal(again.body.results[0].code, 'reenroll_too_early')
})

test('persons whose enrollment was removed or whose lead was deleted before the first email can be enrolled again', async () => {
  const cadence = await createCadence([{ delay_days: 1 }])
  const [removed, deleted] = [
    await createLead({ email: 'removed@again.example' }),
    await createLead({ email: 'deleted@again.example' }),
  ]
  const [id] = await enroll(cadence, [removed, deleted])
  const enrollments = `/api/cadences/${cadence.id}/enrollments`
  await acme.manager.patch(`${enrollments}/${id}`, { status: 'exited' })
  await acme.manager.delete(`/api/leads/${deleted.id}`)
  await acme.manager.post(`/api/leads/${deleted.id}/restore`)

  const { body } = await acme.manager.post(enrollments, { lead_ids: [removed.id, deleted.id] })

  assert.equal(body.enrolled, 2, JSON.stringify(body))
})

test('an email that the mail server does not accept or confirm pauses the enrollment; only the first is sent again', async () => {
  const cadence = await createCadence([{}])
  const leads = [await createLead({ email: 'spam@fail.example' }), await createLead({ email: 'lost@fail.example' })]
  const { mailer } = await startSmtpServer({
    onRcptTo({ address }, _session, done) {
      if (!address.startsWith('spam')) return done()
      done(Object.assign(new Error('5.7.1 not wanted'), { responseCode: 550 }))
    },
    onData(_stream, session) {
      const { connection } = session as unknown as { connection?: { close(): void } }
      connection?.close()
    },
  })
  const standardMailer = services.outreachMailer
  const [failed, lost] = await enroll(cadence, leads)
  services.outreachMailer = {
    ...mailer,
    send: (mail) =>
      mail.to.address.startsWith('lost') ? Promise.reject(new Error('connection lost')) : mailer.send(mail),
  }
  await runDue()
  const [first, second] = await Promise.all([
    actions.waitForEnrollment(failed!, 'paused'),
    actions.waitForEnrollment(lost!, 'paused'),
  ])
  services.outreachMailer = standardMailer
  assert.deepEqual([first.paused_reason, second.paused_reason], ['send_failed', 'uncertain'])

  await acme.sql(
    'update marketing.cadence_enrollments set paused_until = $2 where tenant_id = $1 and cadence_id = $3',
    [acme.id, clock.now(), cadence.id],
  )
  await runDue()
  assert.equal((await app.mails('spam@fail.example', 1)).length, 1)
  await Promise.all([actions.waitForEnrollment(failed!, 'completed'), actions.waitForEnrollment(lost!, 'completed')])
  assert.equal((await app.mails('lost@fail.example')).length, 0)
  assert.deepEqual(
    (await listRunsOf(lost!)).map(({ state }) => state),
    ['uncertain'],
  )
})

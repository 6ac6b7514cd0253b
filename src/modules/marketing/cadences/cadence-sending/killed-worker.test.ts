import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { startTestApp, startWorkerProcess, waitUntil } from '#testing'
import { enqueueDispatch } from '../../../email/messages/dispatch-job.ts'
import { cadenceActions } from './cadence-runs.fixture.ts'

const app = await startTestApp()

test('crm-5-5 an email whose worker is killed after the mail server accepted it is uncertain and sent once, and the enrollment is paused', async () => {
  const acme = await app.tenant()
  const actions = cadenceActions(app, acme)
  await actions.setSending({})
  const cadence = await actions.createCadence([{}, { delay_days: 1 }])
  const [id] = await actions.enroll(cadence, [await actions.createLead({ email: 'once@killed.example' })])
  const received: string[] = []
  const accepted = Promise.withResolvers<void>()
  // The worker is killed before it reads the reply of the server.
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    logger: false,
    async onData(stream, session) {
      await stream.resume().toArray()
      received.push(...session.envelope.rcptTo.map(({ address }) => address))
      accepted.resolve()
    },
  })
  smtp.on('error', () => {})
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  after(() => new Promise<void>((stopped) => smtp.close(stopped)))
  const port = (smtp.server.address() as AddressInfo).port
  await actions.runDue()
  const killed = await startWorkerProcess({ ...app.config, SMTP_URL: `smtp://127.0.0.1:${port}` })
  await accepted.promise
  await killed.kill()

  await actions.runDue()
  assert.equal((await actions.listRunsOf(id!))[0].state, 'claimed', 'the result is not known yet')
  // Simulates the next ten minutes, after which the job and the claim have expired.
  await acme.sql(`update crm.email_messages set claimed_at = claimed_at - interval '1 hour' where tenant_id = $1`, [
    acme.id,
  ])
  await acme.sql(
    `update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null where state = 'active'`,
  )
  await actions.inAcme((tx) => enqueueDispatch(tx, app.clock.now()))
  await app.startTestWorker()

  const paused = await actions.waitForEnrollment(id!, 'paused')
  assert.deepEqual([paused.paused_reason, paused.next_run_at], ['uncertain', null])
  assert.deepEqual(
    (await actions.listRunsOf(id!)).map(({ state }) => state),
    ['uncertain'],
  )
  const resumed = await acme.member.patch(`/api/cadences/${cadence.id}/enrollments/${id}`, { status: 'active' })
  assert.equal(resumed.status, 200)
  assert.equal((await actions.findEnrollment(id!)).current_step_id, cadence.stepIds[1], 'the step is not sent again')
  await actions.runDue()
  const notified = async () =>
    (await acme.member.get('/api/auth/notifications')).body.items.map(({ kind }: { kind: string }) => kind)
  await waitUntil(async () => (await notified()).includes('cadence.enrollments_paused'))
  assert.deepEqual([received, (await app.mails('once@killed.example')).length], [['once@killed.example'], 0])
})

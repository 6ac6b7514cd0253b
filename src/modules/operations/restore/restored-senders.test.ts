import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp, waitForTask, waitUntil } from '#testing'
import { createOperator } from '../../../commands/operator.stand-in.ts'
import { listCadenceCountDrift } from '../../marketing/cadences/cadence-checks/cadence-counts.queries.ts'
import { cadenceActions } from '../../marketing/cadences/cadence-sending/cadence-runs.fixture.ts'
import { surveyActions } from '../../surveys/surveys.fixture.ts'
import { createRestoreActions } from './restore.fixture.ts'

const app = await startTestApp()
const { cleanWorkspace, restore } = createRestoreActions(app)
await app.startTestWorker()
const days = 86_400
type Workspace = Awaited<ReturnType<typeof app.tenant>>

async function backUp(acme: Workspace): Promise<string> {
  const { body } = await acme.admin.post('/api/admin/backups', {})
  assert.equal((await waitForTask(acme, body)).state, 'succeeded')
  return body.backup_id
}

async function startCadence(acme: Workspace, domain: string) {
  const actions = cadenceActions(app, acme)
  await actions.setSending({})
  const texts = ['First', 'Second', 'Third'].map((subject_template, step) => ({
    subject_template,
    delay_days: step && 1,
  }))
  const cadence = await actions.createCadence(texts)
  const leads = []
  for (const name of ['one', 'two', 'three']) leads.push(await actions.createLead({ email: `${name}@${domain}` }))
  await acme.member.post(`/api/cadences/${cadence.id}/enrollments`, { lead_ids: leads.map(({ id }) => id) })
  const rows = await actions.rowsOf('select id, lead_id from marketing.cadence_enrollments where tenant_id = $1')
  const ids = leads.map(({ id }) => rows.find(({ lead_id }) => lead_id === id)!.id as string)
  const sendStep = async (step: number, enrollmentIds = ids) => {
    await actions.runDue()
    for (const id of enrollmentIds) await actions.waitForRun(id, step, 'done')
  }
  const subjectsOf = async (name: string) => (await app.mails(`${name}@${domain}`)).map(({ subject }) => subject)
  return { actions, cadence, leads, ids, sendStep, subjectsOf }
}

const listCadences = async (acme: Workspace) => (await acme.admin.get('/api/cadences/')).body.items

test('a restored workspace sends nothing until a person resumes a cadence, and then no step twice and none after a reply', async () => {
  const acme = await app.tenant()
  const { actions, cadence, leads, ids, sendStep, subjectsOf } = await startCadence(acme, 'restore.example')
  await sendStep(1)
  const backupId = await backUp(acme)
  await actions.advance(days)
  await sendStep(2)
  const [, second] = await app.mails('one@restore.example', 2)
  const reply = { kind: 'reply', in_reply_to: second!.messageId, from: 'one@restore.example' }
  assert.equal((await actions.reportEmail(reply)).status, 200)
  const consent = { email_status: 'unsubscribed', basis: 'none', source: 'letter' }
  assert.equal((await acme.member.put(`/api/leads/${leads[1]!.id}/consent`, consent)).status, 200)
  await actions.waitForEnrollment(ids[1]!, 'exited')
  const readCounts = () =>
    actions.rowsOf('select sum(emails)::integer as emails from crm.email_send_counters where tenant_id = $1')
  const sentBefore = await readCounts()

  await cleanWorkspace(acme)
  const restored = await waitForTask(acme, (await restore(acme, backupId)).body)
  await actions.runDue()

  assert.equal(restored.state, 'succeeded', JSON.stringify(restored.error))
  const [paused] = await listCadences(acme)
  assert.deepEqual([paused.status, paused.paused_reason], ['paused', 'restored'])
  assert.deepEqual(await readCounts(), sentBefore)
  const enrollments = await Promise.all(ids.map((id) => actions.findEnrollment(id)))
  assert.deepEqual(
    enrollments.map(({ status, exit_reason }) => [status, exit_reason]),
    [
      ['exited', 'replied'],
      ['exited', 'opted_out'],
      ['active', null],
    ],
  )
  assert.deepEqual(await actions.inAcme((tx) => listCadenceCountDrift(tx, 10)), [])
  const notified = async () =>
    (await acme.admin.get('/api/auth/notifications')).body.items.map(({ kind }: { kind: string }) => kind)
  await waitUntil(async () => {
    // Jobs that came during the maintenance wait for up to ten minutes.
    await acme.sql(
      `update pgboss.job_common set start_after = now(), group_tier = null where group_id = $1::text and state < 'active'`,
      [acme.id],
    )
    return (await notified()).includes('tenant.senders_stopped')
  })

  assert.equal((await acme.manager.patch(`/api/cadences/${cadence.id}`, { status: 'active' })).status, 200)
  await actions.runDue()
  const [third] = (await actions.listRunsOf(ids[2]!)).slice(-1)
  assert.deepEqual([third.position, third.state], [3, 'waiting'], 'the delay counts from the second step')
  await actions.advance(days)
  await sendStep(3, ids.slice(2))
  const subjects = await Promise.all(['one', 'two', 'three'].map(subjectsOf))
  assert.deepEqual(subjects, [
    ['First', 'Second'],
    ['First', 'Second'],
    ['First', 'Second', 'Third'],
  ])
})

test('a copy of a workspace has paused cadences, stopped enrollments and distributions, and skips what was queued', async () => {
  const acme = await app.tenant()
  const { actions, cadence, ids, sendStep } = await startCadence(acme, 'copy.example')
  await sendStep(1)
  await actions.advance(days)
  const sending = Promise.withResolvers<{ messageId: string }>()
  const { outreachMailer } = app.services
  app.services.outreachMailer = { ...outreachMailer, send: () => sending.promise }
  await actions.runDue()
  const segment = { name: 'Leads', object_type: 'lead', rules: { all: [] } }
  const { body } = await acme.manager.post('/api/segments/', segment)
  await acme.sql(
    `insert into marketing.segment_flows (tenant_id, id, segment_id, target_type, target_id, options, is_active, requested_by)
     values ($1, $2, $3, 'cadence', $4, '{}', true, '{}')`,
    [acme.id, newId(), body.id, cadence.id],
  )
  const survey = await surveyActions(app, acme).createSurvey({}, acme.manager)
  await acme.sql(
    `insert into surveys.distributions (tenant_id, id, survey_id, audience, status, send_at, reminder_days, expires_in_days, created_by)
     values ($1, $2, $3, '{"emails": []}', 'sending', now(), '{}', 14, $4)`,
    [acme.id, newId(), survey.id, acme.manager.userId],
  )
  const backupId = await backUp(acme)
  app.services.outreachMailer = outreachMailer
  sending.resolve({ messageId: 'accepted' })
  const slug = `copy-${acme.slug}`.slice(0, 40)
  const operator = createOperator(app.config)
  const imported = await operator.run('tenant', 'import', '--slug', slug, '--from', acme.slug, '--backup', backupId)
  assert.equal(imported.exitCode, 0, imported.err)

  const { rows } = await app.owner.query(
    `select cadence.status, cadence.paused_reason, run.state, run.skip_reason, message.state as email, flow.is_active, distribution.status as distribution
     from identity.tenants tenant
     join marketing.cadences cadence on cadence.tenant_id = tenant.id
     join marketing.cadence_step_runs run on run.tenant_id = tenant.id and run.state <> 'done'
     join crm.email_messages message on message.tenant_id = tenant.id and message.id = run.id
     join marketing.segment_flows flow on flow.tenant_id = tenant.id
     join surveys.distributions distribution on distribution.tenant_id = tenant.id
     where tenant.slug = $1`,
    [slug],
  )
  const stopped = {
    status: 'paused',
    paused_reason: 'restored',
    state: 'skipped',
    skip_reason: 'restored',
    email: 'skipped',
    is_active: false,
    distribution: 'cancelled',
  }
  assert.deepEqual(
    rows,
    ids.map(() => stopped),
  )
  await sendStep(2)
  assert.equal((await listCadences(acme))[0].status, 'active', 'the original workspace goes on')
})

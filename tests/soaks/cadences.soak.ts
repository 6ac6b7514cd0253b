import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { enqueue } from '#platform/jobs'
import { startWorkerProcess } from '#testing'
import { enqueueDispatch } from '../../src/modules/email/messages/dispatch-job.ts'
import { runCadencesSchedule } from '../../src/modules/marketing/cadences/cadence-sending/run-cadences.jobs.ts'
import { emailStep, newActiveCadence } from '../../src/modules/marketing/cadences/cadences/cadences.fixture.ts'
import { startMailServer } from './mail-server.ts'
import { measurePasswordReset } from './password-reset.ts'
import { requeueActiveJobs, waitForPublishedEvents } from './queues.ts'
import type { Soak, SoakOptions, TestApp, TestWorkspace } from './soak.ts'

const window = { days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '24:00' }
const steps = [1, 2].map((number) => emailStep({ subject_template: `Step ${number}`, business_days: false }))
/** A worker that dies leaves at most one batch of emails uncertain. */
const batchSize = 10
const timeoutMs = 600_000

/** Cadences while workers are killed: no step is sent twice, and every unknown result is reported. */
export const cadencesWithKills: Soak = {
  name: 'cadences with killed workers',
  sizes: { test: 40, nightly: 200, full: 1_000 },
  run: runCadencesSoak,
}

async function runCadencesSoak(app: TestApp, { size, isShort, report }: SoakOptions): Promise<string[]> {
  const kills = isShort ? 1 : 20
  const [acme, other] = [await app.tenant(), await app.tenant()]
  const smtp = await startMailServer('cadence.example')
  const startWorker = () => startWorkerProcess({ ...app.config, SMTP_URL: smtp.url })
  const cadence = await enrollLeads(acme, size)
  const runDue = () => enqueueRun(app, acme)

  const started = performance.now()
  await runDue()
  let worker = await startWorker()
  for (let kill = 1; kill <= kills; kill++) {
    const target = Math.floor((2 * size * (kill - Math.random() * 0.8)) / (kills + 1))
    await waitFor(async () => smtp.received.length >= target, runDue)
    await worker.kill()
    await requeueActiveJobs(acme)
    worker = await startWorker()
  }
  const resetSeconds = await measurePasswordReset(other, smtp, 60)
  const expire = async () => {
    await expireClaims(app, acme, kills)
    await runDue()
  }
  const isDone = await waitFor(
    async () => (await readEnrollments(acme)).every(({ status }) => status !== 'active'),
    expire,
  )
  await waitForPublishedEvents(acme)
  const seconds = (performance.now() - started) / 1_000
  await worker.kill()
  await smtp.stop()

  const { rows: runs } = await acme.sql(
    `select run.id, run.state, message.state as email_state, message.to_address || ' ' || message.subject as email
     from marketing.cadence_step_runs run
     left join crm.email_messages message on message.tenant_id = run.tenant_id and message.id = run.id where run.tenant_id = $1`,
    [acme.id],
  )
  const enrollments = await readEnrollments(acme)
  const received = new Set(smtp.received.map(({ address, subject }) => `${address} ${subject}`))
  const inState = (state: string) => runs.filter((run) => run.state === state)
  const [done, uncertain] = [inState('done'), inState('uncertain')]
  const arrived = uncertain.filter(({ email }) => received.has(email)).length
  const paused = enrollments.filter(({ paused_reason }) => paused_reason === 'uncertain').length
  const completed = enrollments.filter(({ status }) => status === 'completed').length
  // On a busy machine the run takes longer than a token is valid.
  const manager = await acme.signIn(acme.manager.userId)
  const {
    body: { totals: stats },
  } = await manager.get(`/api/cadences/${cadence.id}/stats`)
  report(
    `${completed} of ${size} persons completed, ${done.length} emails sent, ${uncertain.length} uncertain (${arrived} arrived) ` +
      `after ${kills} kills in ${seconds.toFixed(1)} s; a password reset of another workspace took ${resetSeconds?.toFixed(2)} s`,
  )
  const expected = (isTrue: boolean, violation: string) => (isTrue ? [] : [violation])
  return [
    ...expected(
      isDone,
      `not done: ${JSON.stringify(countBy(enrollments, 'status'))} ${JSON.stringify(countBy(runs, 'state'))}`,
    ),
    ...expected(resetSeconds !== undefined, 'the email of a password reset did not arrive within a minute'),
    ...expected(received.size === smtp.received.length, 'a person got a step twice'),
    ...expected(
      done.length + uncertain.length === runs.length,
      `unexpected runs: ${JSON.stringify(countBy(runs, 'state'))}`,
    ),
    ...expected(
      done.every(({ email }) => received.has(email)),
      'a sent email did not arrive',
    ),
    ...expected(received.size === done.length + arrived, 'an email that arrived is neither sent nor uncertain'),
    ...expected(uncertain.length <= kills * batchSize, 'a killed worker left more than one batch uncertain'),
    ...expected(paused === uncertain.length && completed + paused === size, 'an uncertain email is not reported'),
    ...expected(stats.sent === done.length, `the statistics say ${stats.sent} instead of ${done.length}`),
  ]
}

async function enrollLeads(acme: TestWorkspace, size: number) {
  const cadence = await newActiveCadence(acme, { window, steps, track_clicks: false })
  const { body: settings } = await acme.admin.get('/api/leads/settings')
  const { version: _, ...current } = settings
  const sending = { ...current.sending, daily_limit_per_sender: 100_000, daily_limit_tenant: 1_000_000 }
  await acme.admin.put('/api/leads/settings', { ...current, sending })
  const { rows } = await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, email, source, search_text, created_at, created_on)
     select $1, gen_random_uuid(), 'Lead ' || n, 'p' || n || '@cadence.example', 'import', ' lead ' || n, now(), current_date
     from generate_series(1, $2::integer) n returning id`,
    [acme.id, size],
  )
  const ids = rows.map(({ id }) => id)
  for (let first = 0; first < size; first += 200) {
    const { body } = await acme.manager.post(`/api/cadences/${cadence.id}/enrollments`, {
      lead_ids: ids.slice(first, first + 200),
    })
    if (body.enrolled !== Math.min(200, size - first)) throw new Error(JSON.stringify(body).slice(0, 500))
  }
  return cadence
}

const readEnrollments = async (acme: TestWorkspace) =>
  (await acme.sql('select status, paused_reason from marketing.cadence_enrollments where tenant_id = $1', [acme.id]))
    .rows

/** Does what the schedule does for a workspace whose run takes longer than its slice: the worker runs the job. */
const enqueueRun = (app: TestApp, acme: TestWorkspace): Promise<void> =>
  inTenant(app.db, systemActor(acme.id), (tx) =>
    enqueue(tx, runCadencesSchedule(app.services).job, {}, { singletonKey: 'soak' }),
  )

/** Does what happens ten minutes after a worker died, once only the emails of dead workers are claimed. */
async function expireClaims(app: TestApp, acme: TestWorkspace, kills: number): Promise<void> {
  const { rows } = await acme.sql(
    `select count(*) filter (where state = 'waiting')::integer as waiting, count(*) filter (where state = 'claimed')::integer as claimed
     from crm.email_messages where tenant_id = $1`,
    [acme.id],
  )
  const { waiting, claimed } = rows[0]
  if (waiting > 0 || claimed === 0 || claimed > kills * batchSize) return
  await acme.sql(
    `update crm.email_messages set claimed_at = claimed_at - interval '1 hour'
     where tenant_id = $1 and state = 'claimed' and claimed_at < now() - interval '3 seconds'`,
    [acme.id],
  )
  await inTenant(app.db, systemActor(acme.id), (tx) => enqueueDispatch(tx, app.clock.now()))
}

async function waitFor(isDone: () => Promise<boolean>, repeat: () => Promise<void>): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await sleep(500)) {
    if (await isDone()) return true
    await repeat()
  }
  return false
}

const countBy = (rows: readonly Record<string, unknown>[], column: string) =>
  Object.fromEntries([...Map.groupBy(rows, (row) => String(row[column]))].map(([key, group]) => [key, group.length]))

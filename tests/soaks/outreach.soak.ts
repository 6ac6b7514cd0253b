import { setTimeout as sleep } from 'node:timers/promises'
import { queueEmails } from '#modules/email'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startWorkerProcess } from '#testing'
import { enqueueDispatch } from '../../src/modules/email/messages/dispatch-job.ts'
import { emailWorkerProgram } from '../../src/modules/email/messages/email-worker.stand-in.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { measurePasswordReset } from './password-reset.ts'
import { requeueActiveJobs } from './queues.ts'
import type { Soak, SoakOptions, TestApp, TestWorkspace } from './soak.ts'

const domain = 'outreach.example'
const stateCounts = `select state, count(*)::integer as count from crm.email_messages where tenant_id = $1 group by state`

/** Marketing email while workers are killed: no recipient gets two emails, and every unknown result is reported. */
export const outreachWithKills: Soak = {
  name: 'outreach with killed workers',
  sizes: { nightly: 2_000, full: 20_000 },
  run: runOutreachSoak,
}

async function runOutreachSoak(app: TestApp, { size, isShort, report }: SoakOptions): Promise<string[]> {
  const kills = isShort ? 3 : 20
  const [acme, other] = [await app.tenant(), await app.tenant()]
  const smtp = await startMailServer(domain)
  const startWorker = () => startWorkerProcess({ ...app.config, SMTP_URL: smtp.url }, emailWorkerProgram)
  await queueAll(app, acme, size)

  const started = performance.now()
  let worker = await startWorker()
  for (let kill = 1; kill <= kills; kill++) {
    const target = Math.floor((size * (kill - Math.random() * 0.8)) / (kills + 1))
    while (smtp.received.length < target) await sleep(1)
    await worker.kill()
    await requeueActiveJobs(acme)
    worker = await startWorker()
  }
  const resetSeconds = await measureReset(other, smtp)
  const lateAfterKills = await waitForStates(acme, (states) => !states.waiting && (states.claimed ?? 0) <= kills * 10)
  await expireClaims(app, acme)
  await waitForStates(acme, (states) => !states.waiting && !states.claimed)
  const seconds = (performance.now() - started) / 1_000
  await worker.kill()
  await smtp.stop()

  const { rows } = await acme.sql('select id, state, to_address from crm.email_messages where tenant_id = $1', [
    acme.id,
  ])
  const inState = (state: string) => rows.filter((row) => row.state === state)
  const [sent, uncertain] = [inState('sent'), inState('uncertain')]
  const received = new Set(smtp.received.map(({ address }) => address))
  const arrived = uncertain.filter(({ to_address }) => received.has(to_address)).length
  report(
    `${sent.length} sent, ${uncertain.length} uncertain (${arrived} arrived) after ${kills} kills in ${seconds.toFixed(1)} s; ` +
      `a password reset of another workspace took ${resetSeconds.toFixed(2)} s`,
  )
  const expected = (isTrue: boolean, violation: string) => (isTrue ? [] : [violation])
  return [
    ...lateAfterKills,
    ...expected(received.size === smtp.received.length, 'a recipient got two emails'),
    ...expected(sent.length + uncertain.length === size, `unexpected states: ${JSON.stringify(countStates(rows))}`),
    ...expected(
      sent.every(({ to_address }) => received.has(to_address)),
      'a sent email did not arrive',
    ),
    ...expected(received.size === sent.length + arrived, 'an email that arrived is neither sent nor uncertain'),
    ...expected(uncertain.length <= kills * 10, 'a killed worker left more than one batch uncertain'),
    ...expected(await areReported(acme, 'email.uncertain', uncertain), 'the uncertain emails are not those reported'),
    ...expected(await areReported(acme, 'email.sent', sent), 'the sent emails are not those reported'),
  ]
}

async function queueAll(app: TestApp, acme: TestWorkspace, size: number): Promise<void> {
  await acme.manager.put('/api/leads/settings', { sending: { daily_limit_tenant: 1_000_000 } })
  const numbers = Array.from({ length: size }, (_, index) => index)
  for (let first = 0; first < size; first += 5_000)
    await inTenant(app.db, systemActor(acme.id), (tx) =>
      queueEmails(
        tx,
        numbers.slice(first, first + 5_000).map((number) => ({
          kind: 'newsletter',
          ref_id: newId(),
          run_at: app.clock.now(),
          to: { address: `p${number}@${domain}` },
        })),
      ),
    )
}

/** The server holds marketing email for at most ten seconds at a time, so the reset cannot have waited for one. */
async function measureReset(other: TestWorkspace, smtp: MailServer): Promise<number> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    smtp.hold()
    const seconds = await measurePasswordReset(other, smtp, 10)
    smtp.release()
    if (seconds !== undefined) return seconds
  }
  throw new Error('The password reset waited for marketing email.')
}

async function waitForStates(acme: TestWorkspace, isDone: (states: Record<string, number>) => boolean) {
  for (const end = Date.now() + 3_600_000; ; await sleep(50)) {
    const { rows } = await acme.sql(stateCounts, [acme.id])
    const states = Object.fromEntries(rows.map(({ state, count }) => [state, count]))
    if (isDone(states)) return []
    if (Date.now() > end) return [`not done: ${JSON.stringify(states)}`]
  }
}

/** Does what happens ten minutes after a worker died. */
async function expireClaims(app: TestApp, acme: TestWorkspace): Promise<void> {
  await acme.sql(
    `update crm.email_messages set claimed_at = claimed_at - interval '1 hour' where tenant_id = $1 and state = 'claimed'`,
    [acme.id],
  )
  await inTenant(app.db, systemActor(acme.id), (tx) => enqueueDispatch(tx, app.clock.now()))
}

const countStates = (rows: { state: string }[]) =>
  Object.fromEntries([...Map.groupBy(rows, ({ state }) => state)].map(([state, group]) => [state, group.length]))

async function areReported(acme: TestWorkspace, type: string, emails: { id: string }[]): Promise<boolean> {
  const { rows } = await acme.sql(
    `select message ->> 'id' as id from platform.outbox_events, jsonb_array_elements(data -> 'messages') message
     where tenant_id = $1 and type = $2`,
    [acme.id, type],
  )
  const sorted = (list: { id: string }[]) => JSON.stringify(list.map(({ id }) => id).sort())
  return sorted(rows) === sorted(emails)
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedis } from '#platform/cache'
import { daysLater, secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { createRateLimiter } from '#platform/limits'
import { openMailer } from '#platform/mail'
import { waitForValue, waitUntil } from '#testing'
import { startScriptedSmtpServer, startSmtpServer } from '../../../platform/mail/smtp-server.stand-in.ts'
import { recordOptOut } from '../../crm/people/consent/record-opt-out.service.ts'
import { claimEmails } from './claim-emails.service.ts'
import { startEmailApp } from './email-app.fixture.ts'
import { listUncertainEmailIds } from './email-messages.queries.ts'

const app = await startEmailApp()
const { tenant, queue, readEmails, waitForEmails, inWorkspace, owner, clock, services } = app
const standardMailer = services.outreachMailer
const statesOf = async (workspace: { id: string }) =>
  Object.fromEntries((await readEmails(workspace)).map(({ to_address, state }) => [to_address, state]))
const eventsOf = async ({ id }: { id: string }) =>
  (await owner.query('select type, data from platform.outbox_events where tenant_id = $1 order by id', [id])).rows

const busyTenant = await tenant()
const addresses = Array.from({ length: 21 }, (_, index) => `p${index}@busy.example`)
await queue(busyTenant, addresses.slice(0, 20))
await queue(busyTenant, addresses.slice(20))
const jobsBeforeStart = await busyTenant.jobs()
const { rows: parkedTenant } = await owner.query(
  `insert into identity.tenants (id, slug, name, status) values (gen_random_uuid(), 'suspended', 'Suspended', 'suspended') returning id`,
)
await queue(parkedTenant[0], ['ada@parked.example'])
await app.startTestWorker()
await waitForEmails(busyTenant)

test('emails of a workspace are sent by one job, not by one per recipient', async () => {
  assert.deepEqual(jobsBeforeStart, ['crm.dispatch_emails'])
  assert.deepEqual(new Set(Object.values(await statesOf(busyTenant))), new Set(['sent']))
  for (const address of addresses) assert.equal((await app.mails(address, 1)).length, 1)
  const sent = (await eventsOf(busyTenant)).filter(({ type }) => type === 'email.sent')
  assert.deepEqual(
    sent.map(({ data }) => data.messages.length),
    [10, 10, 1],
  )
})

test('emails that one dispatcher is claiming or has claimed are not claimed by another', async () => {
  const acme = await tenant()
  const tomorrow = daysLater(clock.now(), 1)
  // Not due for the worker of this file.
  await queue(acme, ['ada@claimed.example', 'bob@claimed.example'], { run_at: tomorrow })
  const claim = async (tx: TenantTx) => {
    const later = { ...services, clock: { now: () => tomorrow } }
    return (await claimEmails(tx, later, { claimId: newId(), limit: 10 })).emails.length
  }

  const concurrent = await inWorkspace(acme, async (tx) => [await claim(tx), await inWorkspace(acme, claim)])
  const afterwards = await inWorkspace(acme, claim)

  assert.deepEqual([...concurrent, afterwards], [2, 0, 0])
})

test('emails of a suspended workspace are not claimed', async () => {
  await waitUntil(async () => {
    const { rows } = await owner.query('select group_tier from pgboss.job_common where group_id = $1', [
      parkedTenant[0].id,
    ])
    return rows[0].group_tier === 'parked'
  })
  assert.deepEqual(await statesOf(parkedTenant[0]), { 'ada@parked.example': 'waiting' })
})

test('an email names its sender and tells the recipient how to unsubscribe', async () => {
  const acme = await tenant({ name: 'Acme <Tools>' })
  const sending = { from_address: 'sales@acme.example', postal_address: '1 Main Street\nSpringfield' }
  assert.equal((await acme.manager.put('/api/leads/settings', { sending })).status, 200)
  const [id] = await queue(acme, ['ada@acme.example'])
  const [stored] = await waitForEmails(acme)
  const [mail] = await app.mails('ada@acme.example', 1)

  const url = mail!.text!.match(/Unsubscribe: (\S+)/)![1]!
  assert.match(url, new RegExp(`^https?://${acme.slug}\\.${app.domain}(:\\d+)?/unsubscribe/[\\w-]{80,450}$`))
  assert.equal(mail!.from!.text, `"Acme <Tools>" <no-reply@${app.domain}>`)
  assert.equal(mail!.replyTo!.text, 'sales@acme.example')
  assert.equal(mail!.subject, 'News of May')
  assert.equal(mail!.messageId, `<${id}@${app.domain}>`)
  const header = (name: string) => mail!.headerLines.find(({ key }) => key === name)!.line.replace(/\s+/g, ' ')
  assert.equal(
    header('list-unsubscribe'),
    `List-Unsubscribe: <${url}>, <mailto:sales@acme.example?subject=unsubscribe>`,
  )
  assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  assert.match(mail!.text!, /^Hello <all>\n\n-- \nAcme <Tools>\n1 Main Street\nSpringfield\nUnsubscribe: /)
  assert.ok((mail!.html as string).includes(`Acme &lt;Tools&gt;<br>1 Main Street<br>Springfield<br><a href="${url}">`))
  assert.equal(stored.message_id, mail!.messageId)
  assert.ok(stored.body_text.startsWith('Hello'))
})

test('every recipient gets the result that fits the reply of the mail server and their consent', async () => {
  const acme = await tenant()
  const rejectWith = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })
  const { mailer } = await startSmtpServer({
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('spam')) return done(rejectWith(550, '5.7.1 not wanted'))
      if (address.startsWith('gone')) return done(rejectWith(550, '5.1.1 no such user'))
      done(address.startsWith('busy') ? rejectWith(450, '4.2.1 try later') : null)
    },
  })
  services.outreachMailer = mailer
  const refusing = { email: 'no@x.example', channel: 'email', reason: 'unsubscribed', source: 'test' } as const
  await inWorkspace(acme, (tx) => recordOptOut(tx, services, refusing))
  await queue(acme, ['ok@x.example', 'gone@x.example', 'spam@x.example', 'busy@x.example', 'paused@x.example'])
  await queue(acme, ['No@x.example', 'broken@x.example'])
  await queue(acme, ['late@x.example'], { run_at: daysLater(clock.now(), 1) })
  const emails = await waitForValue(
    () => readEmails(acme),
    (rows) => rows.filter(({ state, attempts }) => ['waiting', 'claimed'].includes(state) && !attempts).length === 1,
  )
  services.outreachMailer = standardMailer

  const resultOf = (prefix: string) => {
    const { state, attempts, skip_reason, run_at } = emails.find(({ to_address }) => to_address.startsWith(prefix))
    return [state, attempts, skip_reason, run_at > clock.now()]
  }
  assert.deepEqual(resultOf('ok'), ['sent', 0, null, false])
  assert.deepEqual(resultOf('gone'), ['bounced', 1, null, false])
  assert.deepEqual(resultOf('spam'), ['failed', 1, null, false])
  assert.deepEqual(resultOf('busy'), ['waiting', 1, null, true])
  assert.deepEqual(resultOf('paused'), ['skipped', 0, 'missing_variable', false])
  assert.deepEqual(resultOf('No'), ['skipped', 0, 'opted_out', false])
  assert.deepEqual(resultOf('broken'), ['waiting', 1, null, true])
  assert.deepEqual(resultOf('late'), ['waiting', 0, null, true])
  const reasons = (await eventsOf(acme)).flatMap(({ type, data }) =>
    type === 'email.skipped' ? data.messages.map(({ reason }: { reason: string }) => reason) : [],
  )
  assert.deepEqual(reasons.sort(), ['missing_variable', 'opted_out'])
  const later = await acme.member.post('/api/leads/', { last_name: 'Gone', email: 'gone@x.example' })
  assert.equal(later.body.email_status, 'bounced')
})

test('a postponed email waits until then without losing an attempt, and others are sent', async () => {
  const acme = await tenant()
  const before = clock.now()

  await queue(acme, ['night@x.example', 'now@x.example', 'ok@x.example'])

  const emails = await waitForValue(
    () => readEmails(acme),
    (rows) => rows.every(({ state, run_at }) => state === 'sent' || (state === 'waiting' && run_at > clock.now())),
  )
  const after = clock.now()
  assert.deepEqual(
    emails.map(({ to_address, state, attempts }) => [to_address, state, attempts]),
    [
      ['night@x.example', 'waiting', 0],
      ['now@x.example', 'waiting', 0],
      ['ok@x.example', 'sent', 0],
    ],
  )
  assert.ok(emails[0].run_at >= daysLater(before, 1) && emails[0].run_at <= daysLater(after, 1))
  assert.ok(emails[1].run_at >= secondsLater(before, 60) && emails[1].run_at <= secondsLater(after, 60))
  assert.deepEqual(
    (await eventsOf(acme)).filter(({ type }) => type.startsWith('email.')).map(({ type }) => type),
    ['email.sent'],
  )
})

test('an email can have a sender name and an address for replies of its own', async () => {
  const acme = await tenant()

  await queue(acme, ['signed@x.example'])

  await waitForEmails(acme)
  const [mail] = await app.mails('signed@x.example', 1)
  assert.equal(mail!.from!.text, `"Ada Lovelace" <no-reply@${app.domain}>`)
  assert.equal(mail!.replyTo!.text, 'ada@acme.example')
})

test('an email whose connection broke after its body was sent is reported as uncertain and not sent again', async () => {
  const acme = await tenant()
  let bodies = 0
  services.outreachMailer = await startScriptedSmtpServer((line) => {
    if (line.endsWith('.\r\n')) {
      bodies++
      return null
    }
    return /^(EHLO|MAIL|RCPT)/.test(line) ? '250 ok' : line.startsWith('DATA') ? '354 go' : ''
  })
  const [id] = await queue(acme, ['ada@x.example'])
  const [email] = await waitForEmails(acme)
  services.outreachMailer = standardMailer

  assert.deepEqual([email.state, bodies], ['uncertain', 1])
  assert.deepEqual(await inWorkspace(acme, (tx) => listUncertainEmailIds(tx, 10)), [id])
  const event = (await eventsOf(acme)).find(({ type }) => type === 'email.uncertain')
  assert.equal(event.data.messages[0].id, id)
  const { body } = await acme.admin.get('/api/auth/notifications')
  assert.equal(body.items[0].kind, 'email.uncertain')
})

test('emails wait without losing an attempt while the mail server is unavailable', async () => {
  const acme = await tenant()
  services.outreachMailer = openMailer({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@x.example' })
  await queue(acme, ['ada@down.example', 'bob@down.example'])
  await waitUntil(async () => (await readEmails(acme)).some(({ last_error }) => last_error !== null))
  await services.outreachMailer.close()
  const whileDown = await readEmails(acme)
  services.outreachMailer = standardMailer

  assert.deepEqual(new Set(whileDown.map(({ attempts }) => attempts)), new Set([0]))
  await waitUntil(async () => {
    await owner.query(`update pgboss.job_common set start_after = now() where state = 'retry' and name = 'outreach'`)
    return Object.values(await statesOf(acme)).every((state) => state === 'sent')
  })
  assert.equal((await app.mails('bob@down.example', 1)).length, 1)
})

test('a claim without a result becomes uncertain after ten minutes and is never sent', async () => {
  const acme = await tenant()
  const [old, recent] = await queue(acme, ['old@x.example', 'recent@x.example'], { run_at: daysLater(clock.now(), 1) })
  await owner.query(
    `update crm.email_messages set state = 'claimed', claim_id = id, claimed_at = case id when $1 then $3 else $4 end::timestamptz
     where id in ($1, $2)`,
    [old, recent, secondsLater(clock.now(), -601), secondsLater(clock.now(), -300)],
  )
  await queue(acme, ['next@x.example'])
  await waitUntil(async () => (await statesOf(acme))['next@x.example'] === 'sent')

  assert.partialDeepStrictEqual(await statesOf(acme), { 'old@x.example': 'uncertain', 'recent@x.example': 'claimed' })
  const { rows } = await waitForValue(
    () =>
      owner.query(
        `select start_after from pgboss.job_common where group_id = $1 and name = 'outreach' and state = 'created'`,
        [acme.id],
      ),
    (result) => result.rows.length === 1,
  )
  assert.ok(rows[0].start_after > clock.now(), 'the dispatcher waits for the end of the other claim')
})

test('a workspace sends at most ten emails per second', async () => {
  const acme = await tenant()
  const unlimited = services.limits
  const config = { RATE_LIMIT_FACTOR: 1, RATE_LIMIT_INSTANCES: 1 }
  services.limits = createRateLimiter({ redis: openRedis({ log: services.log }), config })
  const started = performance.now()
  await queue(
    acme,
    Array.from({ length: 21 }, (_, index) => `r${index}@rate.example`),
  )
  const emails = await waitForEmails(acme)
  const seconds = (performance.now() - started) / 1_000
  services.limits = unlimited

  assert.ok(emails.every(({ state }) => state === 'sent'))
  assert.ok(seconds >= 1, `${seconds}`)
})

test('a listed address is not mailed, also if a lead gets it afterwards, until it is removed from the list', async () => {
  const acme = await tenant()
  const suppressions = '/api/leads/suppressions'
  const reasonOf = async (address: string) => {
    const [id] = await queue(acme, [address])
    const email = await waitForValue(
      async () => (await readEmails(acme)).find((row) => row.id === id),
      (row) => row && !['waiting', 'claimed'].includes(row.state),
    )
    return email?.skip_reason ?? email?.state
  }
  await acme.manager.post(suppressions, { emails: ['listed@x.example'] })
  const { body: lead } = await acme.member.post('/api/leads/', { email: 'Listed@x.example' })

  const [listed, other] = [await reasonOf('LISTED@x.example'), await reasonOf('other@x.example')]
  const [entry] = (await acme.manager.get(`${suppressions}?search=listed@x.example`)).body.items
  await acme.manager.delete(`${suppressions}/${entry.id}`)
  await waitUntil(async () => (await acme.member.get(`/api/leads/${lead.id}`)).body.email_status === 'unknown')

  assert.deepEqual([lead.email_status, listed, other], ['unsubscribed', 'opted_out', 'sent'])
  assert.equal(await reasonOf('listed@x.example'), 'sent')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startEmailApp } from './email-app.fixture.ts'

const app = await startEmailApp()
const { tenant, queue, readEmails, waitForEmails, owner } = app
await app.startTestWorker()
const url = '/api/leads/email-events'
const received_at = '2026-05-04T10:00:00Z'
type Workspace = Awaited<ReturnType<typeof tenant>>

async function sendTo(workspace: Workspace, address: string) {
  const lead = (await workspace.member.post('/api/leads/', { last_name: 'Doe', email: address })).body
  const ref_id = newId()
  await queue(workspace, [address], { ref_id, lead_id: lead.id })
  const emails = await waitForEmails(workspace)
  const { message_id } = emails.find(({ to_address }) => to_address === address)
  return { message_id, ref_id, leadUrl: `/api/leads/${lead.id}` }
}
const report = (workspace: Workspace, event: object) =>
  workspace.member.post(url, { received_at, external_id: newId(), ...event })

test('a hard bounce and a complaint stop email to the address, a soft bounce does not', async () => {
  const acme = await tenant()
  const hard = await sendTo(acme, 'hard@acme.example')
  const soft = await sendTo(acme, 'soft@acme.example')
  const angry = await sendTo(acme, 'angry@acme.example')

  const bounced = { kind: 'bounce', message_id: hard.message_id, bounce_type: 'hard' }
  assert.deepEqual((await report(acme, bounced)).body, { matched: true })
  await report(acme, { kind: 'bounce', message_id: soft.message_id, bounce_type: 'soft' })
  await report(acme, { kind: 'complaint', message_id: angry.message_id.slice(1, -1) })

  const states = (await readEmails(acme)).map(({ state }) => state)
  assert.deepEqual(states, ['complained', 'bounced', 'sent'])
  const statuses = await Promise.all([hard, soft, angry].map(({ leadUrl }) => acme.member.get(leadUrl)))
  assert.deepEqual(
    statuses.map(({ body }) => body.email_status),
    ['bounced', 'unknown', 'complained'],
  )
  const { rows } = await owner.query(
    `select type, data from platform.outbox_events where tenant_id = $1 and type in ('email.bounced', 'email.complained') order by id`,
    [acme.id],
  )
  assert.deepEqual(rows, [
    { type: 'email.bounced', data: { kind: 'newsletter', ref_id: hard.ref_id, bounce_type: 'hard' } },
    { type: 'email.bounced', data: { kind: 'newsletter', ref_id: soft.ref_id, bounce_type: 'soft' } },
    { type: 'email.complained', data: { kind: 'newsletter', ref_id: angry.ref_id } },
  ])
})

test('a repeated external id has no further effect, also when both reports arrive at once', async () => {
  const acme = await tenant()
  const { message_id, ref_id } = await sendTo(acme, 'reply@acme.example')
  const reply = { kind: 'reply', in_reply_to: message_id, external_id: 'provider-1' }

  const responses = await Promise.all([report(acme, reply), report(acme, reply), report(acme, reply)])
  assert.deepEqual(
    responses.map(({ status, body }) => [status, body.matched]),
    [
      [200, true],
      [200, true],
      [200, true],
    ],
  )
  const [email] = await readEmails(acme)
  assert.deepEqual([email.state, email.replied_at], ['sent', new Date(received_at)])
  const { rows } = await owner.query(
    `select data from platform.outbox_events where tenant_id = $1 and type = 'email.replied'`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ data: { kind: 'newsletter', ref_id, auto_submitted: false } }])
})

test('an event about an email of another workspace matches nothing, and incomplete events are rejected', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { message_id } = await sendTo(acme, 'ada@acme.example')
  const complaint = { kind: 'complaint', message_id }

  assert.deepEqual((await report(other, complaint)).body, { matched: false })
  assert.equal((await readEmails(acme))[0].state, 'sent')
  assert.equal((await acme.viewer.post(url, { ...complaint, received_at, external_id: 'x' })).status, 403)
  assert.equal((await report(acme, { kind: 'reply' })).body.errors[0].path, '/message_id')
  assert.equal((await report(acme, { kind: 'bounce', message_id })).body.errors[0].path, '/bounce_type')
  assert.equal((await report(acme, { ...complaint, bounce_type: 'hard' })).body.errors[0].path, '/bounce_type')
  assert.equal((await report(acme, { ...complaint, external_id: '' })).status, 422)
  assert.equal((await report(acme, { ...complaint, external_id: 'x'.repeat(200) })).status, 200)
})

test('a complaint or bounce without a message id stops email to the reported address', async () => {
  const acme = await tenant()
  const statusOf = async (email: string) =>
    (await acme.member.post('/api/leads/', { last_name: 'Doe', email })).body.email_status

  const complaint = await report(acme, { kind: 'complaint', email: 'Angry@acme.example' })
  await report(acme, { kind: 'bounce', bounce_type: 'hard', email: 'dead@acme.example' })
  await report(acme, { kind: 'bounce', bounce_type: 'soft', email: 'full@acme.example' })
  await report(acme, { kind: 'complaint', message_id: '<unknown@elsewhere.example>', email: 'forwarded@acme.example' })

  assert.deepEqual([complaint.status, complaint.body], [200, { matched: false }])
  const addresses = ['angry@acme.example', 'dead@acme.example', 'full@acme.example', 'forwarded@acme.example']
  assert.deepEqual(await Promise.all(addresses.map(statusOf)), ['complained', 'bounced', 'unknown', 'complained'])
  assert.equal((await report(acme, { kind: 'reply', email: 'x@acme.example' })).body.errors[0].path, '/email')
})

test('a reply is found by any message id, or by its sender among the emails of the last 30 days', async () => {
  const acme = await tenant()
  const first = await sendTo(acme, 'ada@acme.example')
  const second = await sendTo(acme, 'bob@acme.example')
  const unknown = '<unknown@elsewhere.example>'
  const reply = (event: object) => report(acme, { kind: 'reply', ...event })
  const repliedTo = async () => {
    const { rows } = await owner.query(
      `select data from platform.outbox_events where tenant_id = $1 and type = 'email.replied' order by id`,
      [acme.id],
    )
    return rows.map(({ data }) => data.ref_id)
  }

  const matched = [
    await reply({ in_reply_to: unknown, references: [first.message_id, second.message_id] }),
    await reply({ in_reply_to: first.message_id.slice(1, -1), references: [second.message_id] }),
    await reply({ in_reply_to: unknown, from: 'ADA@acme.example' }),
    await reply({ from: 'bob@acme.example' }),
    await reply({ from: 'carl@acme.example' }),
  ]
  await owner.query(`update crm.email_messages set run_at = run_at - interval '31 days' where tenant_id = $1`, [
    acme.id,
  ])
  matched.push(await reply({ from: 'bob@acme.example' }), await reply({ references: [second.message_id] }))

  assert.deepEqual(
    matched.map(({ body }) => body.matched),
    [true, true, true, true, false, false, true],
  )
  const [ada, bob] = [first.ref_id, second.ref_id]
  assert.deepEqual(await repliedTo(), [bob, ada, ada, bob, bob])
})

test('a reply becomes an activity with its text, an automatic one does not', async () => {
  const acme = await tenant()
  const { message_id, ref_id, leadUrl } = await sendTo(acme, 'ada@acme.example')
  const readReplies = async () =>
    (await acme.member.get(`${leadUrl}/activities?type=email_replied`)).body.items.map(
      ({ subject, body, actor_type }: Record<string, unknown>) => ({ subject, body, actor_type }),
    )

  const automatic = { kind: 'reply', in_reply_to: message_id, auto_submitted: 'auto-replied; owner="x"' }
  assert.deepEqual((await report(acme, automatic)).body, { matched: true })
  assert.equal((await readEmails(acme))[0].replied_at, null)
  assert.deepEqual(await readReplies(), [])

  const reply = { kind: 'reply', in_reply_to: message_id, auto_submitted: 'No', external_id: 'reply-1' }
  const content = { subject: 'Re: News '.padEnd(300, 'x'), text: 'Yes, call me. '.padEnd(100_000, 'x') }
  await report(acme, { ...reply, ...content })
  await report(acme, { ...reply, subject: 'again' })

  assert.deepEqual(await readReplies(), [
    { subject: content.subject.slice(0, 200), body: content.text.slice(0, 20_000), actor_type: 'person' },
  ])
  assert.equal((await acme.member.get(leadUrl)).body.status, 'working')
  const { rows } = await owner.query(
    `select data from platform.outbox_events where tenant_id = $1 and type = 'email.replied' order by id`,
    [acme.id],
  )
  assert.deepEqual(
    rows.map(({ data }) => data),
    [
      { kind: 'newsletter', ref_id, auto_submitted: true },
      { kind: 'newsletter', ref_id, auto_submitted: false },
    ],
  )
  await acme.member.delete(leadUrl)
  assert.deepEqual((await report(acme, { kind: 'reply', in_reply_to: message_id })).body, { matched: true })
  assert.equal((await report(acme, { ...reply, text: 'x'.repeat(100_001) })).status, 422)
})

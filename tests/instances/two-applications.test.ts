// Two applications in one process, each with its own database, mail server and worker.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Type } from 'typebox'
import { systemActor } from '#platform/access'
import { type Db, inTenant, listen, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { onWake } from '#platform/jobs'
import { defineNotification, notify } from '#platform/notify'
import { defineEvent, type EventEnvelope, emit, registerSubscriptions, subscribe } from '#platform/outbox'
import { startTestApp, waitForValue, waitUntil } from '#testing'

const Data = Type.Object({ text: Type.String() })
const noteWritten = defineEvent('note.written', { resource: 'content', description: 'A note was written.', data: Data })
const noteShared = defineNotification('note.shared', {
  description: 'A note was shared with you',
  payload: Data,
  text: ({ text }) => ({ title: text, body: 'Read it in the app.', path: '/notes/1' }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
})
const recipient = 'ada@acme.example'

/** Starts an application with a worker. Its workspace has the same slug and the same user as that of the other one. */
async function startApplication(name: string) {
  const received: string[] = []
  const record = (when: string) => async (_: TenantTx, event: EventEnvelope<{ text: string }>) =>
    void received.push(`${when} ${event.data.text}`)
  const subscriptions = [
    subscribe(noteWritten, `${name}.in_transaction`, record('in transaction:'), { inTransaction: true }),
    subscribe(noteWritten, `${name}.after_commit`, record('after commit:')),
  ]
  const app = await startTestApp(
    { APP_DOMAIN: `${name}.test` },
    { prepare: ({ db }) => registerSubscriptions(db, subscriptions) },
  )
  await app.startTestWorker()
  const topics: string[] = []
  const listener = await listen(app.database.systemUrl)
  after(listener.close)
  await onWake(listener, (topic) => topics.push(topic))
  const acme = await app.tenant({ slug: 'acme' })
  const ada = await acme.person('member', { email: recipient })

  return {
    app,
    acme,
    received,
    topics,
    /** Emits an event and sends a notification, whose email is a job. */
    writeNote: (text: string, db: Db = app.services.db) =>
      inTenant(db, systemActor(acme.id), async (tx) => {
        await emit(tx, noteWritten, { id: newId() }, { text })
        await notify(tx, ada.userId, noteShared, { text })
      }),
    readEmails: async (expected = 0) => (await app.mails(recipient, expected)).map(({ subject }) => subject),
  }
}

const one = await startApplication('one')
const two = await startApplication('two')

test('events, jobs, notifications and wake-ups of an application never reach the other one', async () => {
  await one.writeNote('first')
  await waitUntil(() => one.received.length === 2)
  const [email] = await one.app.mails(recipient, 1)

  assert.deepEqual(one.received, ['in transaction: first', 'after commit: first'])
  assert.deepEqual(one.acme.slug, two.acme.slug)
  assert.equal(email?.subject, 'first')
  assert.match(email?.text ?? '', /acme\.one\.test/)
  for (const topic of ['outbox', 'events', 'mail']) assert.ok(one.topics.includes(topic), topic)
  assert.deepEqual([two.received, two.topics, await two.readEmails()], [[], [], []])
  assert.deepEqual([await two.acme.events(), await two.acme.jobs()], [[], []])

  await two.writeNote('second')
  await waitUntil(() => two.received.length === 2)
  const [otherEmail] = await two.app.mails(recipient, 1)

  assert.deepEqual(two.received, ['in transaction: second', 'after commit: second'])
  assert.match(otherEmail?.text ?? '', /acme\.two\.test/)
  assert.deepEqual([one.received.length, await one.readEmails()], [2, ['first']])
})

test('a job of a request runs in the application that received the request', async () => {
  const invited = 'grace@acme.example'

  await one.acme.admin.post('/api/users/', { email: invited, name: 'Grace', role: 'member' })
  const emails = await one.app.mails(invited, 1)

  assert.equal(emails.length, 1)
  assert.deepEqual(await two.app.mails(invited), [])
  assert.ok(!(await two.acme.jobs()).includes('identity.send_invite'))
})

test('concurrent transactions of two applications do not mix', async () => {
  const numbers = Array.from({ length: 30 }, (_, number) => number)
  const [emitted, sent] = [one.received.length, (await one.readEmails()).length]

  await Promise.all(numbers.flatMap((n) => [one.writeNote(`one ${n}`), two.writeNote(`two ${n}`, two.app.db)]))

  for (const [name, { received, readEmails }] of Object.entries({ one, two })) {
    await waitUntil(() => received.length === emitted + 2 * numbers.length)
    const emails = (await waitForValue(readEmails, ({ length }) => length === sent + numbers.length)).slice(sent)
    assert.deepEqual(emails.toSorted(), numbers.map((n) => `${name} ${n}`).toSorted())
    assert.deepEqual(
      received.slice(emitted).toSorted(),
      ['in transaction', 'after commit'].flatMap((when) => numbers.map((n) => `${when}: ${name} ${n}`)).toSorted(),
    )
  }
})

test('stopping an application leaves the other one working', async () => {
  const before = two.received.length
  const sent = (await two.readEmails()).length

  await one.app.stop()
  two.topics.splice(0)
  await two.writeNote('alone')
  await waitUntil(() => two.received.length === before + 2)

  assert.deepEqual((await two.readEmails(sent + 1)).slice(sent), ['alone'])
  assert.ok(two.topics.includes('outbox'))
  assert.equal((await two.acme.member.get('/api/auth/me')).status, 200)
  await assert.rejects(one.writeNote('stopped', one.app.db), /job queue is not started/)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { systemActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { createJobQueue, runScheduleNow, startJobWorker } from '#platform/jobs'
import { openMailer } from '#platform/mail'
import { createTestClock, startMailServer, startTestDb, waitUntil } from '#testing'
import { defineNotification, type Recipient, setRecipientDirectory } from './notification.ts'
import { deleteOldNotificationsSchedule, notify } from './notify.ts'
import { sendNotificationEmailHandler } from './send-notification-email.ts'

const { database, owner, db, systemDb } = await startTestDb()
const jobQueue = createJobQueue({ db, systemUrl: database.systemUrl })
await jobQueue.start()
const mailServer = await startMailServer()
const mailer = openMailer({ SMTP_URL: mailServer.url, MAIL_FROM: 'no-reply@tributary.test' })
const clock = createTestClock()
const recipients = new Map<string, Recipient>()
setRecipientDirectory(db, {
  find: async (_tx, userId) => recipients.get(userId),
  workspace: async () => ({ name: 'Acme', urlOf: (path) => `https://acme.tributary.test${path}` }),
})
const usage = { count: () => {} }
const worker = await startJobWorker({
  systemUrl: database.systemUrl,
  db,
  systemDb,
  pollSeconds: 0.5,
  handlers: [sendNotificationEmailHandler({ mailer, usage, mailDomain: 'tributary.test' })],
  schedules: [deleteOldNotificationsSchedule(clock)],
  getTenantStatus: async () => 'active',
  log: { info: () => {}, warn: () => {}, error: () => {} },
})
after(async () => {
  await worker.stop()
  await jobQueue.stop()
  await mailer.close()
  await mailServer.stop()
})

const Named = Type.Object({ name: Type.String() })
const both = { in_app: true, email: true }
const assigned = defineNotification('lead.assigned', {
  description: 'A lead was assigned to you',
  payload: Named,
  text: ({ name }) => ({ title: `${name} is yours`, body: `You are the owner of ${name} now.`, path: '/leads/1' }),
  channels: both,
  canBeDisabled: true,
})
const signedIn = defineNotification('session.new_device', {
  description: 'A new device signed in to your account',
  payload: Named,
  text: ({ name }) => ({ title: 'A new device', body: `A device signed in from ${name}.` }),
  channels: { in_app: false, email: true },
  canBeDisabled: false,
})
const visited = defineNotification('room.visited', {
  description: 'Your room was visited',
  payload: Type.Object({ room: Type.String(), visitor: Type.String() }),
  text: ({ room, visitor: label }) => {
    return { title: `${room} was visited`, body: `${label} was there.`, fact: { label, value: 'was there' } }
  },
  channels: both,
  canBeDisabled: true,
  emailDelaySeconds: 2,
  coalesceKey: ({ room }) => room,
})

const alerted = defineNotification('room.alerted', {
  description: 'Something happened in your room',
  payload: Type.Object({ room: Type.String() }),
  text: ({ room }) => ({ title: `Alert in ${room}`, body: 'Something happened.' }),
  channels: both,
  canBeDisabled: true,
  emailIntervalSeconds: 1_800,
  coalesceKey: ({ room }) => room,
})

function addRecipient(overrides: Partial<Recipient> = {}) {
  const userId = newId()
  const email = `u${userId.slice(-8)}@acme.example`
  recipients.set(userId, { name: 'Ada', email, isActive: true, preferences: {}, ...overrides })
  return { userId, email }
}
const inTestTenant = <T>(work: (tx: TenantTx) => Promise<T>, actor = systemActor(newId())) => inTenant(db, actor, work)
const rowsOf = async (userId: string) =>
  (await owner.query('select * from platform.notifications where user_id = $1 order by id', [userId])).rows

test('a user is notified in the app and by email', async () => {
  const ada = addRecipient()

  await inTestTenant((tx) =>
    notify(tx, ada.userId, assigned, { name: 'Babbage Ltd' }, { resource: { type: 'lead', id: newId() } }),
  )
  const [mail] = await mailServer.mails(ada.email, 1)

  const [row] = await rowsOf(ada.userId)
  assert.equal(mail?.subject, 'Babbage Ltd is yours')
  assert.match(
    mail?.text ?? '',
    /You are the owner of Babbage Ltd now\.[\s\S]*https:\/\/acme\.tributary\.test\/leads\/1/,
  )
  assert.match(mail?.text ?? '', /change them in your profile/)
  assert.partialDeepStrictEqual(row, {
    kind: 'lead.assigned',
    in_app: true,
    payload: { name: 'Babbage Ltd' },
    read_at: null,
  })
  assert.equal(mail?.messageId, `<${row.mail_id}@tributary.test>`)
})

test('a rolled-back transaction sends no notification', async () => {
  const ada = addRecipient()

  const rolledBack = inTestTenant(async (tx) => {
    await notify(tx, ada.userId, assigned, { name: 'Nothing' })
    throw new Error('no')
  })

  await assert.rejects(rolledBack)
  await sleep(1_000)
  assert.deepEqual(await rowsOf(ada.userId), [])
  assert.deepEqual(await mailServer.mails(ada.email), [])
})

test('concurrent notifications with the same dedupe key are sent once', async () => {
  const ada = addRecipient()
  const actor = systemActor(newId())
  const notifyOnce = () =>
    inTestTenant((tx) => notify(tx, ada.userId, assigned, { name: 'Once' }, { dedupeKey: 'once' }), actor)

  await Promise.all([notifyOnce(), notifyOnce(), notifyOnce()])
  await mailServer.mails(ada.email, 1)
  await sleep(1_000)

  assert.equal((await rowsOf(ada.userId)).length, 1)
  assert.equal((await mailServer.mails(ada.email)).length, 1)
})

test('users can disable channels of a notification, except for security notifications', async () => {
  const off = { in_app: false, email: false }
  const quiet = addRecipient({ preferences: { 'lead.assigned': off, 'session.new_device': off } })
  const noMail = addRecipient({ preferences: { 'lead.assigned': { email: false } } })
  const mailOnly = addRecipient({ preferences: { 'lead.assigned': { in_app: false } } })

  for (const { userId } of [quiet, noMail, mailOnly])
    await inTestTenant(async (tx) => {
      await notify(tx, userId, assigned, { name: 'Babbage Ltd' })
      await notify(tx, userId, signedIn, { name: 'Turin' })
    })
  const counts = [
    (await mailServer.mails(quiet.email, 1)).map(({ subject }) => subject),
    (await mailServer.mails(noMail.email, 1)).map(({ subject }) => subject),
    (await mailServer.mails(mailOnly.email, 2)).map(({ subject }) => subject).sort(),
  ]

  const shown = async ({ userId }: { userId: string }) =>
    (await rowsOf(userId)).filter(({ in_app }) => in_app).map(({ kind }) => kind)
  assert.deepEqual(counts, [['A new device'], ['A new device'], ['A new device', 'Babbage Ltd is yours']])
  assert.deepEqual(await shown(quiet), [])
  assert.deepEqual(await shown(noMail), ['lead.assigned'])
  assert.deepEqual(await shown(mailOnly), [])
})

test('sample data, unknown users and deactivated users cause no notifications', async () => {
  const ada = addRecipient()
  const deactivated = addRecipient({ isActive: false })
  const leaving = addRecipient()
  const sample = { ...systemActor(newId()), origin: 'sample' as const }

  await inTestTenant((tx) => notify(tx, ada.userId, assigned, { name: 'Sample' }), sample)
  await inTestTenant((tx) => notify(tx, deactivated.userId, signedIn, { name: 'Turin' }))
  await inTestTenant((tx) => notify(tx, newId(), assigned, { name: 'Unknown' }))
  await inTestTenant((tx) => notify(tx, leaving.userId, visited, { room: 'Deal', visitor: 'Bob' }))
  recipients.set(leaving.userId, { ...recipients.get(leaving.userId)!, isActive: false })
  await sleep(4_000)

  assert.deepEqual(await rowsOf(ada.userId), [])
  assert.deepEqual(await rowsOf(deactivated.userId), [])
  for (const { email } of [ada, deactivated, leaving]) assert.deepEqual(await mailServer.mails(email), [])
})

test('notifications with the same coalesce key share an email, and later ones start a new email', async () => {
  const ada = addRecipient()
  const actor = systemActor(newId())
  const visit = (room: string, visitor: string) =>
    inTestTenant((tx) => notify(tx, ada.userId, visited, { room, visitor }), actor)

  for (const visitor of ['Bob', 'Cleo', 'Dan']) await visit('Deal', visitor)
  await visit('Other', 'Eve')
  const first = await mailServer.mails(ada.email, 2)
  await visit('Deal', 'Finn')
  const all = await mailServer.mails(ada.email, 3)

  const coalesced = first.find(({ subject }) => subject?.startsWith('Deal'))
  assert.deepEqual(first.map(({ subject }) => subject).sort(), ['Deal was visited', 'Other was visited'])
  assert.match(coalesced?.text ?? '', /^Bob: was there\nCleo: was there\nDan: was there$/m)
  assert.equal(all[2]?.subject, 'Deal was visited')
  assert.match(all[2]?.text ?? '', /visited\n\nFinn was there\.\n/)
  // The email arrives before its notification is marked as sent.
  await waitUntil(async () => (await rowsOf(ada.userId)).filter(({ mailed_at }) => mailed_at).length === 5)
})

test('a retried email has the same message id', async () => {
  const ada = addRecipient()
  await inTestTenant((tx) => notify(tx, ada.userId, assigned, { name: 'Twice' }))
  await mailServer.mails(ada.email, 1)
  await sleep(500)
  const handler = sendNotificationEmailHandler({ mailer, usage, mailDomain: 'tributary.test' })
  const [row] = await rowsOf(ada.userId)
  const payload = { user_id: ada.userId, kind: 'lead.assigned', coalesce_key: null, mail_id: row.mail_id }
  const job = {
    tenantId: row.tenant_id,
    attempt: 2,
    signal: new AbortController().signal,
    requeue: async () => {},
    detach: () => {},
    isPaused: async () => false,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    inTenantAsSystem: () => Promise.reject(new Error('unused')),
    inTenant: <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemActor(row.tenant_id), work),
  }

  await handler.run(job, payload as never)
  await owner.query('update platform.notifications set mailed_at = null where id = $1', [row.id])
  await handler.run(job, payload as never)
  const mails = await mailServer.mails(ada.email, 2)

  assert.equal(mails.length, 2)
  assert.equal(mails[0]?.messageId, mails[1]?.messageId)
})

test('a title with line breaks cannot inject email headers', async () => {
  const ada = addRecipient()

  await inTestTenant((tx) => notify(tx, ada.userId, assigned, { name: 'Evil\r\nBcc: all@acme.example' }))
  const [mail] = await mailServer.mails(ada.email, 1)

  assert.equal(mail?.subject, 'Evil Bcc: all@acme.example is yours')
  assert.equal(mail?.bcc, undefined)
})

test('notifications are kept for 90 days', async () => {
  const ada = addRecipient()
  await inTestTenant((tx) => notify(tx, ada.userId, assigned, { name: 'Old' }))
  const after = async (days: number) => {
    clock.advance(days * 86_400)
    await runScheduleNow(jobQueue, 'platform.drop_notifications')
    await sleep(1_500)
    return (await rowsOf(ada.userId)).length
  }

  assert.equal(await after(89), 1)
  assert.equal(await after(2), 0)
})

test('one run deletes all old notifications, however many there are', async () => {
  const { userId } = addRecipient()
  await owner.query(
    `insert into platform.notifications (tenant_id, id, user_id, kind, payload, in_app, by_mail, created_at)
     select $1, gen_random_uuid(), $1, 'lead.assigned', '{}', true, false, $2 from generate_series(1, 10001)`,
    [userId, daysLater(clock.now(), -91)],
  )

  await runScheduleNow(jobQueue, 'platform.drop_notifications')
  const count = async () =>
    (await owner.query('select count(*)::int from platform.notifications where user_id = $1', [userId])).rows[0].count
  await waitUntil(async () => (await count()) === 0, 10)

  assert.equal(await count(), 0)
})

test('an email about the same thing waits until the interval after the last one is over', async () => {
  const [ada, actor] = [addRecipient(), systemActor(newId())]
  const alert = (room: string) => inTestTenant((tx) => notify(tx, ada.userId, alerted, { room }), actor)
  const isMailed = async (count: number) =>
    (await rowsOf(ada.userId)).filter(({ mailed_at }) => mailed_at !== null).length === count

  await alert('Deal')
  await waitUntil(() => isMailed(1))
  await alert('Deal')
  await alert('Other deal')
  await waitUntil(() => isMailed(2))
  const { rows } = await owner.query(
    `select start_after > now() + interval '25 minutes' as waits from pgboss.job
     where state = 'created' and data::text like '%' || $1 || '%'`,
    [ada.userId],
  )

  assert.deepEqual(rows, [{ waits: true }])
  assert.equal((await mailServer.mails(ada.email, 2)).length, 2)
})

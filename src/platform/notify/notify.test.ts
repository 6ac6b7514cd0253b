import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { systemIn } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { runScheduleNow, startJobs, stopJobs, workOnJobs } from '#platform/jobs'
import { openMailer } from '#platform/mail'
import { movableClock, startMailServer, startTestDb } from '#testing'
import { type Addressee, openAddressBook } from './address-book.ts'
import { mailingNotifications } from './mail-notifications.ts'
import { defineNotification } from './notification.ts'
import { notify } from './notify.ts'
import { droppingNotifications } from './upkeep.ts'

const { database, owner, db, systemDb } = await startTestDb()
await startJobs({ systemUrl: database.systemUrl })
const mailServer = await startMailServer()
const mailer = openMailer({ SMTP_URL: mailServer.url, MAIL_FROM: 'no-reply@tributary.test' })
const clock = movableClock()
const people = new Map<string, Addressee>()
openAddressBook({
  find: async (_tx, userId) => people.get(userId),
  workspace: async () => ({ name: 'Acme', urlOf: (path) => `https://acme.tributary.test${path}` }),
})
const working = await workOnJobs({
  ...{ systemUrl: database.systemUrl, db, systemDb, pollSeconds: 0.5 },
  handlers: [mailingNotifications({ mailer, mailDomain: 'tributary.test' })],
  schedules: [droppingNotifications(clock)],
  tenantStatus: async () => 'active',
  log: { info: () => {}, warn: () => {}, error: () => {} },
})
after(async () => {
  await working.stop()
  await stopJobs()
  await mailer.close()
  await mailServer.stop()
})

const Named = Type.Object({ name: Type.String() })
const both = { in_app: true, email: true }
const assigned = defineNotification('lead.assigned', {
  description: 'A lead was given to you',
  payload: Named,
  text: ({ name }) => ({ title: `${name} is yours`, body: `You are the owner of ${name} now.`, path: '/leads/1' }),
  channels: both,
  canBeSwitchedOff: true,
})
const signedIn = defineNotification('session.new_device', {
  description: 'Somebody signed in with your account',
  payload: Named,
  text: ({ name }) => ({ title: 'A new device', body: `Somebody signed in from ${name}.` }),
  channels: { in_app: false, email: true },
  canBeSwitchedOff: false,
})
const visited = defineNotification('room.visited', {
  description: 'Somebody looked at your room',
  payload: Type.Object({ room: Type.String(), visitor: Type.String() }),
  text: ({ room, visitor }) => ({ title: `${room} was visited`, body: `${visitor} was there.` }),
  channels: both,
  canBeSwitchedOff: true,
  mailAfterSeconds: 2,
  coalesceKey: ({ room }) => room,
})

function somebody(about: Partial<Addressee> = {}) {
  const userId = newId()
  const email = `u${userId.slice(-8)}@acme.example`
  people.set(userId, { name: 'Ada', email, isActive: true, preferences: {}, ...about })
  return { userId, email }
}
const tell = <T>(work: (tx: TenantTx) => Promise<T>, actor = systemIn(newId())) => inTenant(db, actor, work)
const rowsOf = async (userId: string) =>
  (await owner.query('select * from platform.notifications where user_id = $1 order by id', [userId])).rows

test('somebody is told in the app and by mail', async () => {
  const ada = somebody()

  await tell((tx) =>
    notify(tx, ada.userId, assigned, { name: 'Babbage Ltd' }, { resource: { type: 'lead', id: newId() } }),
  )
  const [mail] = await mailServer.mails(ada.email, 1)

  const [row] = await rowsOf(ada.userId)
  assert.equal(mail?.subject, 'Babbage Ltd is yours')
  assert.match(
    mail?.text ?? '',
    /You are the owner of Babbage Ltd now\.[\s\S]*https:\/\/acme\.tributary\.test\/leads\/1/,
  )
  assert.match(mail?.text ?? '', /switch it off in your profile/)
  assert.partialDeepStrictEqual(row, {
    kind: 'lead.assigned',
    in_app: true,
    payload: { name: 'Babbage Ltd' },
    read_at: null,
  })
  assert.equal(mail?.messageId, `<${row.mail_id}@tributary.test>`)
})

test('nothing is told of a change that did not happen', async () => {
  const ada = somebody()

  const undone = tell(async (tx) => {
    await notify(tx, ada.userId, assigned, { name: 'Nothing' })
    throw new Error('no')
  })

  await assert.rejects(undone)
  await sleep(1_000)
  assert.deepEqual(await rowsOf(ada.userId), [])
  assert.deepEqual(await mailServer.mails(ada.email), [])
})

test('the same thing is told once', async () => {
  const ada = somebody()
  const actor = systemIn(newId())
  const tellAgain = () => tell((tx) => notify(tx, ada.userId, assigned, { name: 'Once' }, { dedupeKey: 'once' }), actor)

  await Promise.all([tellAgain(), tellAgain(), tellAgain()])
  await mailServer.mails(ada.email, 1)
  await sleep(1_000)

  assert.equal((await rowsOf(ada.userId)).length, 1)
  assert.equal((await mailServer.mails(ada.email)).length, 1)
})

test('people choose what they hear of and how, but not about the safety of their account', async () => {
  const off = { in_app: false, email: false }
  const quiet = somebody({ preferences: { 'lead.assigned': off, 'session.new_device': off } })
  const noMail = somebody({ preferences: { 'lead.assigned': { email: false } } })
  const mailOnly = somebody({ preferences: { 'lead.assigned': { in_app: false } } })

  for (const { userId } of [quiet, noMail, mailOnly])
    await tell(async (tx) => {
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

test('nobody hears of sample data, and whoever is gone or deactivated hears nothing', async () => {
  const ada = somebody()
  const gone = somebody({ isActive: false })
  const leaving = somebody()
  const sample = { ...systemIn(newId()), origin: 'sample' as const }

  await tell((tx) => notify(tx, ada.userId, assigned, { name: 'Sample' }), sample)
  await tell((tx) => notify(tx, gone.userId, signedIn, { name: 'Turin' }))
  await tell((tx) => notify(tx, newId(), assigned, { name: 'Nobody' }))
  await tell((tx) => notify(tx, leaving.userId, visited, { room: 'Deal', visitor: 'Bob' }))
  people.set(leaving.userId, { ...people.get(leaving.userId)!, isActive: false })
  await sleep(4_000)

  assert.deepEqual(await rowsOf(ada.userId), [])
  assert.deepEqual(await rowsOf(gone.userId), [])
  for (const { email } of [ada, gone, leaving]) assert.deepEqual(await mailServer.mails(email), [])
})

test('what belongs together shares a mail, and what comes later gets the next', async () => {
  const ada = somebody()
  const actor = systemIn(newId())
  const visit = (room: string, visitor: string) =>
    tell((tx) => notify(tx, ada.userId, visited, { room, visitor }), actor)

  for (const visitor of ['Bob', 'Cleo', 'Dan']) await visit('Deal', visitor)
  await visit('Other', 'Eve')
  const first = await mailServer.mails(ada.email, 2)
  await visit('Deal', 'Finn')
  const all = await mailServer.mails(ada.email, 3)

  const gathered = first.find(({ subject }) => subject?.startsWith('Deal'))
  assert.deepEqual(first.map(({ subject }) => subject).sort(), ['Deal was visited (and 2 more)', 'Other was visited'])
  assert.match(gathered?.text ?? '', /Bob was there\.[\s\S]*Cleo was there\.[\s\S]*Dan was there\./)
  assert.equal(all[2]?.subject, 'Deal was visited')
  assert.doesNotMatch(all[2]?.text ?? '', /Bob/)
  assert.equal((await rowsOf(ada.userId)).filter(({ mailed_at }) => mailed_at).length, 5)
})

test('a mail that is sent again is the same mail', async () => {
  const ada = somebody()
  await tell((tx) => notify(tx, ada.userId, assigned, { name: 'Twice' }))
  await mailServer.mails(ada.email, 1)
  await sleep(500)
  const again = mailingNotifications({ mailer, mailDomain: 'tributary.test' })
  const [row] = await rowsOf(ada.userId)
  const order = { user_id: ada.userId, kind: 'lead.assigned', coalesce_key: null, mail_id: row.mail_id }
  const job = {
    ...{ tenantId: row.tenant_id, attempt: 2, signal: new AbortController().signal },
    log: { info: () => {}, warn: () => {}, error: () => {} },
    inTenant: <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemIn(row.tenant_id), work),
  }

  await again.run(job, order as never)
  await owner.query('update platform.notifications set mailed_at = null where id = $1', [row.id])
  await again.run(job, order as never)
  const mails = await mailServer.mails(ada.email, 2)

  assert.equal(mails.length, 2)
  assert.equal(mails[0]?.messageId, mails[1]?.messageId)
})

test('a title somebody typed cannot break out of the subject', async () => {
  const ada = somebody()

  await tell((tx) => notify(tx, ada.userId, assigned, { name: 'Evil\r\nBcc: all@acme.example' }))
  const [mail] = await mailServer.mails(ada.email, 1)

  assert.equal(mail?.subject, 'Evil Bcc: all@acme.example is yours')
  assert.equal(mail?.bcc, undefined)
})

test('notifications are kept for 90 days', async () => {
  const ada = somebody()
  await tell((tx) => notify(tx, ada.userId, assigned, { name: 'Old' }))
  const after = async (days: number) => {
    clock.advance(days * 86_400)
    await runScheduleNow('platform.drop_notifications')
    await sleep(1_500)
    return (await rowsOf(ada.userId)).length
  }

  assert.equal(await after(89), 1)
  assert.equal(await after(2), 0)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { defineNotification, notify } from '#platform/notify'
import { startTestApp, type TestUser } from '#testing'

const app = await startTestApp()
type Tenant = Awaited<ReturnType<typeof app.tenant>>

const path = '/api/auth/notifications'
const channels = { in_app: true, email: false }
const assigned = defineNotification('lead.assigned', {
  description: 'A lead was assigned to you',
  payload: Type.Object({ name: Type.String(), id: Type.String() }),
  text: ({ name, id }) => ({ title: `${name} is yours`, body: `You own ${name} now.`, path: `/leads/${id}` }),
  channels,
  canBeDisabled: true,
})
const emailOnly = defineNotification('lead.mailed', {
  description: 'A notification that is only sent by email',
  payload: Type.Object({}),
  text: () => ({ title: 'By email', body: 'Not in the app.' }),
  channels: { in_app: false, email: true },
  canBeDisabled: true,
})

const notifyUser = (acme: Tenant, { userId }: TestUser, ...names: string[]) =>
  inTenant(app.db, systemActor(acme.id), async (tx) => {
    for (const name of names) {
      const id = newId()
      await notify(tx, userId, assigned, { name, id }, { resource: { type: 'lead', id } })
    }
  })
const titles = (response: { body: { items: { title: string }[] } }) => response.body.items.map(({ title }) => title)
const ids = async (person: TestUser): Promise<string[]> =>
  (await person.get(path)).body.items.map(({ id }: { id: string }) => id)

test('a user lists their in-app notifications with text, newest first', async () => {
  const acme = await app.tenant()
  await notifyUser(acme, acme.member, 'Ada', 'Grace')
  await inTenant(app.db, systemActor(acme.id), (tx) => notify(tx, acme.member.userId, emailOnly, {}))

  const { status, body, headers } = await acme.member.get(path)

  assert.equal(status, 200)
  assert.deepEqual(titles({ body }), ['Grace is yours', 'Ada is yours'])
  const { id, created_at, resource_id, ...rest } = body.items[0]
  assert.deepEqual(rest, {
    kind: 'lead.assigned',
    title: 'Grace is yours',
    body: 'You own Grace now.',
    path: `/leads/${resource_id}`,
    resource_type: 'lead',
    read_at: null,
  })
  assert.ok(id && created_at)
  assert.equal(headers['x-total-count'], '2')
})

test('a read notification keeps the time it was first read', async () => {
  const acme = await app.tenant()
  await notifyUser(acme, acme.member, 'Ada', 'Grace', 'Edith')
  const [newest, middle] = await ids(acme.member)

  const first = await acme.member.post(`${path}/read`, { ids: [newest] })
  const readAt = (await acme.member.get(`${path}?unread=false`)).body.items[0].read_at
  app.clock.advance(60)
  const again = await acme.member.post(`${path}/read`, { ids: [newest, middle] })
  const unread = await acme.member.get(`${path}?unread=true`)
  const all = await acme.member.post(`${path}/read`, { all: true })
  const nothing = await acme.member.post(`${path}/read`, { all: true })

  assert.deepEqual(
    [first, again, all, nothing].map(({ status, body }) => [status, body.marked]),
    [
      [200, 1],
      [200, 1],
      [200, 1],
      [200, 0],
    ],
  )
  assert.deepEqual(titles(unread), ['Ada is yours'])
  assert.deepEqual((await acme.member.get(`${path}?unread=true`)).body.total, 0)
  const read = (await acme.member.get(path)).body.items
  assert.equal(read.find(({ id }: { id: string }) => id === newest).read_at, readAt)
})

test('users cannot list or mark notifications of other users or workspaces', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  await notifyUser(acme, acme.member, 'Ada')
  await notifyUser(acme, acme.admin, 'Grace')
  await notifyUser(beta, beta.member, 'Edith')
  const [own] = await ids(acme.member)
  const foreignIds = [...(await ids(acme.admin)), ...(await ids(beta.member)), newId()]

  for (const foreignId of foreignIds) {
    const rejected = await acme.member.post(`${path}/read`, { ids: [own, foreignId] })
    assert.deepEqual(
      [rejected.status, rejected.body.code, rejected.body.errors[0].path],
      [422, 'unknown_reference', '/ids/1'],
    )
  }
  await acme.member.post(`${path}/read`, { all: true })

  assert.deepEqual(titles(await acme.member.get(path)), ['Ada is yours'])
  assert.equal((await acme.admin.get(`${path}?unread=true`)).body.total, 1)
  assert.equal((await beta.member.get(`${path}?unread=true`)).body.total, 1)
})

test('pagination has no gaps while new notifications arrive', async () => {
  const acme = await app.tenant()
  await notifyUser(acme, acme.member, '1', '2', '3', '4', '5')

  const first = await acme.member.get(`${path}?limit=2`)
  await notifyUser(acme, acme.member, '6')
  const second = await acme.member.get(`${path}?limit=2&cursor=${first.body.next_cursor}`)
  const third = await acme.member.get(`${path}?limit=2&cursor=${second.body.next_cursor}`)
  const nonsense = await acme.member.get(`${path}?cursor=nonsense`)

  assert.deepEqual(
    [first, second, third].flatMap(titles),
    ['5', '4', '3', '2', '1'].map((name) => `${name} is yours`),
  )
  assert.equal(third.body.next_cursor, null)
  assert.equal(nonsense.status, 422)
})

test('a notification of a removed kind is still listed', async () => {
  const acme = await app.tenant()
  await notifyUser(acme, acme.member, 'Ada')
  await acme.sql(`update platform.notifications set kind = 'room.removed' where tenant_id = $1`, [acme.id])

  const { body } = await acme.member.get(path)

  assert.deepEqual([body.items[0].title, body.items[0].body, body.items[0].path], ['room.removed', '', null])
})

test('invalid bodies, API keys and anonymous callers are rejected', async () => {
  const acme = await app.tenant()
  const id = newId()
  const bodies = [
    {},
    { ids: [] },
    { ids: ['x'] },
    { ids: [id, id] },
    { all: false },
    { all: true, ids: [id] },
    { a: 1 },
  ]

  const statuses = await Promise.all(bodies.map(async (body) => (await acme.member.post(`${path}/read`, body)).status))
  const key = await acme.admin.post('/api/api-keys', { name: 'reader', scopes: ['crm.read'] })
  const byKey = await acme.bearer(`Bearer ${key.body.key}`).get(path)

  assert.deepEqual(new Set(statuses), new Set([422]))
  assert.deepEqual([byKey.status, byKey.body.code], [403, 'session_required'])
  assert.equal((await acme.anonymous.get(path)).status, 401)
  assert.equal((await acme.anonymous.post(`${path}/read`, { all: true })).status, 401)
  assert.equal((await acme.member.get(`${path}?unread=perhaps`)).status, 422)
})

test('users of the sample data are not notified', async () => {
  const acme = await app.tenant()
  await acme.sql(`update identity.users set source = 'sample' where id = $1`, [acme.viewer.userId])

  await notifyUser(acme, acme.viewer, 'Ada')
  await notifyUser(acme, acme.member, 'Ada')

  assert.deepEqual([await ids(acme.viewer), (await ids(acme.member)).length], [[], 1])
})

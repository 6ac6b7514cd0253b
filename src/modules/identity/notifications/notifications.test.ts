import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { systemIn } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { defineNotification, notify } from '#platform/notify'
import { type Person, startTestApp } from '#testing'

const app = await startTestApp()
type Tenant = Awaited<ReturnType<typeof app.tenant>>

const path = '/api/auth/notifications'
const channels = { in_app: true, email: false }
const assigned = defineNotification('lead.assigned', {
  description: 'A lead was given to you',
  payload: Type.Object({ name: Type.String(), id: Type.String() }),
  text: ({ name, id }) => ({ title: `${name} is yours`, body: `You own ${name} now.`, path: `/leads/${id}` }),
  channels,
  canBeSwitchedOff: true,
})
const byMailOnly = defineNotification('lead.mailed', {
  description: 'Something only mails tell',
  payload: Type.Object({}),
  text: () => ({ title: 'By mail', body: 'Not in the app.' }),
  channels: { in_app: false, email: true },
  canBeSwitchedOff: true,
})

const tell = (acme: Tenant, { userId }: Person, ...names: string[]) =>
  inTenant(app.db, systemIn(acme.id), async (tx) => {
    for (const name of names) {
      const id = newId()
      await notify(tx, userId, assigned, { name, id }, { resource: { type: 'lead', id } })
    }
  })
const titles = (answer: { body: { items: { title: string }[] } }) => answer.body.items.map(({ title }) => title)
const ids = async (person: Person): Promise<string[]> =>
  (await person.get(path)).body.items.map(({ id }: { id: string }) => id)

test('somebody reads what they were told, in words, the newest first', async () => {
  const acme = await app.tenant()
  await tell(acme, acme.member, 'Ada', 'Grace')
  await inTenant(app.db, systemIn(acme.id), (tx) => notify(tx, acme.member.userId, byMailOnly, {}))

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

test('what was read is no longer unread, and keeps the time it was first read', async () => {
  const acme = await app.tenant()
  await tell(acme, acme.member, 'Ada', 'Grace', 'Edith')
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

test('nobody reads or marks what somebody else was told, here or in another workspace', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  await tell(acme, acme.member, 'Ada')
  await tell(acme, acme.admin, 'Grace')
  await tell(beta, beta.member, 'Edith')
  const [own] = await ids(acme.member)
  const strangers = [...(await ids(acme.admin)), ...(await ids(beta.member)), newId()]

  for (const stranger of strangers) {
    const refused = await acme.member.post(`${path}/read`, { ids: [own, stranger] })
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.errors[0].path],
      [422, 'unknown_reference', '/ids/1'],
    )
  }
  await acme.member.post(`${path}/read`, { all: true })

  assert.deepEqual(titles(await acme.member.get(path)), ['Ada is yours'])
  assert.equal((await acme.admin.get(`${path}?unread=true`)).body.total, 1)
  assert.equal((await beta.member.get(`${path}?unread=true`)).body.total, 1)
})

test('pages follow one another without a gap while new ones arrive', async () => {
  const acme = await app.tenant()
  await tell(acme, acme.member, '1', '2', '3', '4', '5')

  const first = await acme.member.get(`${path}?limit=2`)
  await tell(acme, acme.member, '6')
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

test('what a later release no longer knows stays readable', async () => {
  const acme = await app.tenant()
  await tell(acme, acme.member, 'Ada')
  await acme.sql(`update platform.notifications set kind = 'room.forgotten' where tenant_id = $1`, [acme.id])

  const { body } = await acme.member.get(path)

  assert.deepEqual([body.items[0].title, body.items[0].body, body.items[0].path], ['room.forgotten', '', null])
})

test('a body says which, or all, and nothing else; a key and a stranger are refused', async () => {
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLater } from '#platform/clock'
import { waitUntil } from '#testing'
import { startCommunityApp, threadsUrl } from '../community.fixture.ts'

const app = await startCommunityApp()
const { acme, tenant, createRoom, createThread, createReply, startTestWorker } = app
const { member, manager, admin, viewer } = acme
const suspensionsUrl = '/api/community/suspensions'
const suspend = (by: typeof member, user: { userId: string }, body: object = { reason: 'Insults' }) =>
  by.put(`${suspensionsUrl}/${user.userId}`, body)
const statusesOf = (responses: { status: number }[]) => responses.map(({ status }) => status)
const later = () => daysLater(app.clock.now(), 1).toISOString()

/** Requests that stay allowed, because they change the user's own state as a reader only. */
const allowed = ['follow', 'unfollow', 'read'].map((action) => `POST ${threadsUrl}/{thread_id}/${action}`)

test('a suspended user reads, but every request that writes in community is rejected', async () => {
  const user = await acme.person('manager')
  const room = await createRoom({}, user)
  const thread = await createThread(room.id, { kind: 'question' }, user)
  const reply = await createReply(thread, {}, user)
  const { body: report } = await member.post(`${thread.url}/report`, { reason: 'spam' })
  const suspended = await suspend(admin, user)
  const requests: Record<string, () => ReturnType<typeof user.post>> = {
    'POST /api/community/threads': () => user.post(threadsUrl, { room_id: room.id, title: 'Title', body: 'Text' }),
    'PATCH /api/community/threads/{thread_id}': () => user.patch(thread.url, { title: 'Title' }),
    'DELETE /api/community/threads/{thread_id}': () => user.delete(thread.url),
    'PATCH /api/community/threads/{thread_id}/pin': () => user.patch(`${thread.url}/pin`),
    'PUT /api/community/threads/{thread_id}/answer': () => user.put(`${thread.url}/answer`, { reply_id: reply.id }),
    'POST /api/community/threads/{thread_id}/restore': () => user.post(`${thread.url}/restore`),
    'POST /api/community/threads/{thread_id}/report': () => user.post(`${thread.url}/report`, { reason: 'spam' }),
    'POST /api/community/threads/{thread_id}/replies': () => user.post(`${thread.url}/replies`, { body: 'Text' }),
    'PATCH /api/community/threads/{thread_id}/replies/{reply_id}': () => user.patch(reply.url, { body: 'Text' }),
    'DELETE /api/community/threads/{thread_id}/replies/{reply_id}': () => user.delete(reply.url),
    'POST /api/community/threads/{thread_id}/replies/{reply_id}/restore': () => user.post(`${reply.url}/restore`),
    'PATCH /api/community/reports/{report_id}': () =>
      user.patch(`/api/community/reports/${report.id}`, { resolution: 'kept' }),
    'PUT /api/community/rooms/{room_id}/settings': () => user.put(`/api/community/rooms/${room.id}/settings`, {}),
    'PUT /api/community/suspensions/{user_id}': () => suspend(user, member),
    'DELETE /api/community/suspensions/{user_id}': () => user.delete(`${suspensionsUrl}/${user.userId}`),
  }
  const { paths } = (await member.get('/api/openapi.json')).body as { paths: Record<string, object> }
  const writing = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/community/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((route) => /^(POST|PUT|PATCH|DELETE) /.test(route) && !allowed.includes(route))

  assert.equal(suspended.status, 200, suspended.text)
  assert.deepEqual(Object.keys(requests).sort(), writing.sort())
  for (const [route, send] of Object.entries(requests)) {
    const { status, body } = await send()
    assert.deepEqual([status, body.code], [403, 'community_suspended'], route)
    assert.deepEqual([body.suspension_reason, body.suspension_ends_at], ['Insults', null], route)
  }
  const shown = (await user.get(thread.url)).body
  assert.deepEqual(shown.can, { edit: false, delete: false, pin: false, moderate: false })
  const { items } = (await user.get(`${thread.url}/replies`)).body
  assert.deepEqual(items[0].can, { edit: false, delete: false, moderate: false })
  const rooms = (await user.get('/api/community/rooms')).body.items as { id: string; can: object }[]
  assert.deepEqual(rooms.find(({ id }) => id === room.id)!.can, { create_thread: false, moderate: false })
  assert.equal((await user.post(`${thread.url}/read`)).status, 200)
  assert.equal((await admin.delete(`${suspensionsUrl}/${user.userId}`)).status, 204)
  assert.equal((await user.post(`${thread.url}/replies`, { body: 'Text' })).status, 201)
})

test('managers suspend members and viewers, admins every user but themselves', async () => {
  const [otherManager, user, otherAdmin] = [
    await acme.person('manager'),
    await acme.person('member'),
    await acme.person('admin'),
  ]
  const owner = await acme.person('member')
  await createRoom({}, owner)

  const rejected = [
    await suspend(owner, user),
    await suspend(manager, otherManager),
    await suspend(manager, otherAdmin),
    await suspend(manager, manager),
    await suspend(admin, admin),
  ]
  const accepted = [
    await suspend(manager, user),
    await suspend(manager, viewer),
    await suspend(admin, otherManager),
    await suspend(admin, otherAdmin),
  ]
  const lifted = [
    await manager.delete(`${suspensionsUrl}/${otherManager.userId}`),
    await manager.delete(`${suspensionsUrl}/${user.userId}`),
    await manager.delete(`${suspensionsUrl}/${user.userId}`),
    await admin.delete(`${suspensionsUrl}/${otherManager.userId}`),
    await admin.delete(`${suspensionsUrl}/${viewer.userId}`),
    await admin.delete(`${suspensionsUrl}/${otherAdmin.userId}`),
  ]

  assert.deepEqual(statusesOf(rejected), [403, 403, 403, 409, 409])
  assert.deepEqual(statusesOf(accepted), [200, 200, 200, 200])
  assert.deepEqual(statusesOf(lifted), [403, 204, 404, 204, 204, 204])
})

test('a suspension can be replaced and ends by itself', async () => {
  const user = await acme.person('member')
  const thread = await createThread((await createRoom()).id)
  const created = await suspend(manager, user)
  const ends_at = later()

  const replaced = await suspend(manager, user, { reason: 'Spam', ends_at })
  const outdated = await manager.put(
    `${suspensionsUrl}/${user.userId}`,
    { reason: 'x' },
    { 'if-match': `"${created.body.version}"` },
  )
  const rejected = await user.post(`${thread.url}/replies`, { body: 'Text' })
  const [listed] = (await manager.get(suspensionsUrl)).body.items
  const invalid = [
    await suspend(manager, user, { reason: 'Spam', ends_at: app.clock.now().toISOString() }),
    await suspend(manager, user, { reason: '' }),
    await suspend(manager, user, {}),
  ]
  await acme.sql(`update community.suspensions set ends_at = now() - interval '1 minute' where user_id = $1`, [
    user.userId,
  ])

  assert.deepEqual([replaced.body.reason, replaced.body.ends_at, replaced.body.is_active], ['Spam', ends_at, true])
  assert.deepEqual([outdated.status, ...statusesOf(invalid)], [412, 422, 422, 422])
  assert.deepEqual([rejected.body.suspension_reason, rejected.body.suspension_ends_at], ['Spam', ends_at])
  assert.deepEqual(listed.user, { id: user.userId, name: user.name })
  assert.deepEqual(listed.suspended_by, { id: manager.userId, name: manager.name })
  assert.equal((await user.post(`${thread.url}/replies`, { body: 'Text' })).status, 201)
  const { items } = (await manager.get(suspensionsUrl)).body
  assert.equal(items.find((item: { user: { id: string } }) => item.user.id === user.userId).is_active, false)
  const audited = (await acme.audit()).filter((action) => action === 'user.community_suspended')
  assert.ok(audited.length >= 2)
  assert.ok((await acme.events()).includes('community.user_suspended'))
})

test('suspensions of a workspace cannot be seen or changed by others, and are erased with the user', async () => {
  await startTestWorker()
  const other = await tenant()
  const user = await acme.person('member')
  const thread = await createThread((await createRoom()).id)
  await user.post(`${thread.url}/follow`)
  await suspend(manager, user, { reason: 'Wrote about Xanthippe' })

  const foreign = [await suspend(other.admin, user), await other.admin.delete(`${suspensionsUrl}/${user.userId}`)]
  const denied = [await member.get(suspensionsUrl), await suspend(member, viewer), await suspend(viewer, member)]
  const ofOther = (await other.admin.get(suspensionsUrl)).body.items
  await admin.patch(`/api/users/${user.userId}`, { status: 'deactivated' })
  assert.equal((await admin.delete(`/api/users/${user.userId}`)).status, 204)

  assert.deepEqual(statusesOf(foreign), [404, 404])
  assert.deepEqual(statusesOf(denied), [403, 403, 403])
  assert.deepEqual(ofOther, [])
  const find = `select 1 from community.suspensions where user_id = $1 union all
    select 1 from community.thread_readers where user_id = $1 union all
    select 1 from platform.audit_log where resource_id = $1 and changes::text like '%Xanthippe%'`
  await waitUntil(async () => (await acme.sql(find, [user.userId])).rowCount === 0)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicRoomUrl, publicThreadUrl, roomsUrl, startCommunityApp } from '../community.fixture.ts'

const { acme, tenant, createRoom, createThread, createReply } = await startCommunityApp()
const { member, manager, viewer } = acme
const listUrl = '/api/community/rooms'
const settingsUrl = (roomId: string) => `${listUrl}/${roomId}/settings`
const defaults = { public_read: false, post_policy: 'members', slow_mode_seconds: 0, public_author_names: 'first' }

test('the list has the community rooms that the caller can read, with their settings and activity', async () => {
  const [beta, alpha, draft, gone] = [
    await createRoom({ name: 'beta' }),
    await createRoom({ name: 'Alpha' }, member),
    await createRoom({ name: 'Draft', status: 'draft' }),
    await createRoom({ name: 'Gone' }),
  ]
  await manager.post(roomsUrl, { name: 'A deal' })
  await manager.delete(`${roomsUrl}${gone.id}`)
  await manager.put(settingsUrl(beta.id), { post_policy: 'moderators' })
  const thread = await createThread(beta.id, {}, manager)
  await manager.patch(`${thread.url}/pin`)
  const reply = await createReply(thread)
  const deleted = await createThread(beta.id, {}, manager)
  await manager.delete(deleted.url)

  const byMember = await member.get(listUrl)
  const byManager = await manager.get(`${listUrl}?limit=2`)
  const next = await manager.get(`${listUrl}?limit=2&cursor=${byManager.body.next_cursor}`)

  const namesOf = ({ body }: typeof byMember) => body.items.map(({ name }: { name: string }) => name)
  assert.deepEqual(namesOf(byMember), ['Alpha', 'beta'])
  assert.deepEqual([namesOf(byManager), namesOf(next)], [['Alpha', 'beta'], ['Draft']])
  assert.deepEqual([byManager.body.total, next.body.next_cursor], [3, null])
  const [own, shared] = byMember.body.items
  assert.deepEqual(
    [own.thread_count, own.last_activity_at, own.can, own.settings],
    [0, null, { create_thread: true, moderate: true }, { ...defaults, room_id: alpha.id, version: 0 }],
  )
  assert.deepEqual(
    [shared.thread_count, shared.last_activity_at, shared.can],
    [1, reply.created_at, { create_thread: false, moderate: false }],
  )
  assert.equal(next.body.items[0].id, draft.id)
})

test('engagement-2-4 threads are public while the setting is on and the room is active', async () => {
  const room = await createRoom()
  const thread = await createThread(room.id)
  await createReply(thread)
  const statuses = async () => [
    (await acme.anonymous.get(publicRoomUrl(room.id))).status,
    (await acme.anonymous.get(publicThreadUrl(thread.id))).status,
  ]
  const change = (public_read: boolean) => manager.put(settingsUrl(room.id), { public_read })

  assert.deepEqual(await statuses(), [404, 404])
  assert.equal((await change(true)).body.public_read, true)
  assert.deepEqual(await statuses(), [200, 200])
  const shown = (await acme.anonymous.get(publicThreadUrl(thread.id))).text
  for (const secret of [member.userId, member.email, 'user_id', 'author_id']) assert.ok(!shown.includes(secret), secret)
  await change(false)
  assert.deepEqual(await statuses(), [404, 404])
  await change(true)
  await manager.patch(`${roomsUrl}${room.id}`, { status: 'closed' })
  assert.deepEqual(await statuses(), [404, 404])
  const changes = (await acme.events()).filter((type) => type === 'community.room_visibility_changed')
  assert.equal(changes.length, 3)
  const audited = (await acme.audit()).filter((action) => action === 'room.community_settings_changed')
  assert.ok(audited.length >= 3)
})

test('moderators replace the settings of a room; what is left out gets its default', async () => {
  const room = await createRoom({}, member)
  const url = settingsUrl(room.id)
  const other = await acme.person('member')

  const first = await member.put(url, { slow_mode_seconds: 30, public_author_names: 'full' })
  const second = await manager.put(url, { post_policy: 'moderators' }, { 'if-match': `"${first.body.version}"` })
  const outdated = await manager.put(url, {}, { 'if-match': `"${first.body.version}"` })
  const same = await manager.put(url, { post_policy: 'moderators' })
  const denied = [await other.put(url, {}), await viewer.put(url, {}), await (await tenant()).admin.put(url, {})]
  const invalid = [
    await manager.put(url, { slow_mode_seconds: 3_601 }),
    await manager.put(url, { public_author_names: 'nick' }),
    await manager.put(settingsUrl((await manager.post(roomsUrl, { name: 'Deal' })).body.id), {}),
  ]

  assert.partialDeepStrictEqual(first.body, { ...defaults, slow_mode_seconds: 30, public_author_names: 'full' })
  assert.partialDeepStrictEqual(second.body, { ...defaults, post_policy: 'moderators' })
  assert.deepEqual([outdated.status, same.body.version], [412, second.body.version])
  assert.deepEqual(
    [...denied, ...invalid].map(({ status }) => status),
    [403, 403, 404, 422, 422, 404],
  )
})

test('only managers make threads public, or show more of the names of their authors', async () => {
  const room = await createRoom({}, member)
  const put = async (user: typeof member, settings: object) =>
    (await user.put(settingsUrl(room.id), { public_author_names: 'hidden', ...settings })).status

  assert.equal(await put(member, { public_read: true }), 403)
  assert.equal(await put(manager, { public_read: true }), 200)
  assert.equal(await put(member, { public_read: true, slow_mode_seconds: 5 }), 200)
  assert.equal(await put(member, { public_read: true, public_author_names: 'first' }), 403)
  assert.equal(await put(manager, { public_read: true, public_author_names: 'full' }), 200)
  assert.equal(await put(member, { public_read: true, public_author_names: 'first' }), 200)
  assert.equal(await put(member, { public_read: false }), 200)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCommunityApp } from '../community.fixture.ts'

const { acme, createRoom, createThread, createReply, notified } = await startCommunityApp()
const { member, manager, viewer } = acme
const reportsUrl = '/api/community/reports'
const reporters = await Promise.all(['member', 'member', 'member', 'member'].map(() => acme.person('member')))
const owner = await acme.person('member')
const room = await createRoom({}, owner)

type Post = { url: string; id: string; thread_id?: string }
const report = (post: Post, user = reporters[0]!, fields: object = { reason: 'spam' }) =>
  user.post(`/api/community/threads/${post.thread_id ?? post.id}/report`, {
    ...fields,
    ...(post.thread_id && { reply_id: post.id }),
  })
const listReports = async (user = owner) => (await user.get(`${reportsUrl}?room_id=${room.id}`)).body
const reportsOf = async (post: Post) =>
  (await listReports()).items.filter(({ thread_id, reply_id }: { thread_id: string; reply_id: string | null }) =>
    post.thread_id ? reply_id === post.id : thread_id === post.id && reply_id === null,
  )
const resolve = (id: string, resolution: string, user = owner) => user.patch(`${reportsUrl}/${id}`, { resolution })
const countOf = async ({ url }: Post) => (await manager.get(url)).body.reply_count

test('engagement-2-11 three reports hide a reply until a moderator decides, but not one of a moderator', async () => {
  const thread = await createThread(room.id)
  const [reply, ofManager] = [await createReply(thread), await createReply(thread, {}, manager)]
  const before = (await notified(owner.userId)).length

  for (const user of reporters.slice(0, 2)) assert.equal((await report(reply, user)).status, 201)
  const afterTwo = [(await viewer.get(`${thread.url}/replies`)).body.items.length, await countOf(thread)]
  assert.equal((await report(reply, reporters[2])).status, 201)
  const hidden = [(await viewer.get(`${thread.url}/replies`)).body.items.length, await countOf(thread)]
  const queue = await reportsOf(reply)
  for (const user of reporters) await report(ofManager, user)
  const kept = await resolve(queue[0].id, 'kept')
  const shown = [(await viewer.get(`${thread.url}/replies`)).body.items.length, await countOf(thread)]

  assert.deepEqual(
    [afterTwo, hidden, shown],
    [
      [2, 2],
      [1, 1],
      [2, 2],
    ],
  )
  assert.equal(queue.length, 3)
  assert.deepEqual(
    queue.map(({ is_hidden, reporter }: { is_hidden: boolean; reporter: { id: string } }) => [is_hidden, reporter.id]),
    [reporters[2], reporters[1], reporters[0]].map((user) => [true, user!.userId]),
  )
  assert.deepEqual([kept.status, kept.body.resolution, kept.body.is_hidden], [200, 'kept', false])
  assert.deepEqual([await reportsOf(reply), (await reportsOf(ofManager)).length], [[], 4])
  // Two for the reply, when it was reported and when it was hidden, and one for that of the manager.
  assert.deepEqual((await notified(owner.userId)).slice(before), Array(3).fill('thread.reported'))
  assert.equal((await notified(manager.userId)).filter((kind) => kind === 'thread.reported').length, 3)
  const hiding = (await acme.events()).filter((type) => /reply_(hidden|shown)/.test(type))
  assert.deepEqual(hiding, ['community.reply_hidden', 'community.reply_shown'])
})

test('three reports of a thread hide it, also if they arrive at once', async () => {
  const thread = await createThread(room.id)

  const reported = await Promise.all(reporters.slice(0, 3).map((user) => report(thread, user)))

  assert.deepEqual(
    reported.map(({ status }) => status),
    [201, 201, 201],
  )
  assert.equal((await viewer.get(thread.url)).status, 404)
  assert.equal((await reportsOf(thread)).length, 3)
  const hidings = await acme.sql(
    `select id from platform.audit_log where resource_id = $1 and action = 'thread.hidden'`,
    [thread.id],
  )
  assert.equal(hidings.rows.length, 1)
  assert.deepEqual((await report(thread, reporters[3])).status, 404)
})

test('a user reports a post once, and reports are checked', async () => {
  const [thread, other] = [await createThread(room.id), await createThread(room.id)]
  const reply = await createReply(thread)

  const first = await report(thread, reporters[0], { reason: 'other', note: 'Wrong room' })
  const again = await report(thread, reporters[0], { reason: 'abuse' })
  const ofReply = await report(reply)
  const keyed = reporters[1]!.with({ headers: { 'idempotency-key': 'report-once' } })
  const replays = [1, 2].map(() => () => keyed.post(`${thread.url}/report`, { reason: 'spam' }))
  const [original, replayed] = [await replays[0]!(), await replays[1]!()]
  const invalid = [
    await report(thread, reporters[1], { reason: 'boring' }),
    await reporters[1]!.post(`${thread.url}/report`, {}),
    await reporters[1]!.post(`${other.url}/report`, { reason: 'spam', reply_id: reply.id }),
  ]

  assert.deepEqual([first.status, first.body.note], [201, 'Wrong room'])
  assert.deepEqual([again.status, again.body], [200, first.body])
  assert.equal(ofReply.status, 201)
  assert.deepEqual([original.status, replayed.status, replayed.body], [201, 201, original.body])
  assert.equal(replayed.headers['idempotency-replayed'], 'true')
  assert.deepEqual(
    invalid.map(({ status }) => status),
    [422, 422, 422],
  )
})

test('only moderators see and resolve the reports of their rooms', async () => {
  const [thread, elsewhere] = [await createThread(room.id), await createThread((await createRoom()).id)]
  const { body } = await report(thread)
  await report(elsewhere)

  const idsFor = async (user: typeof member) =>
    (await user.get(`${reportsUrl}?limit=200`)).body.items.map(({ thread_id }: { thread_id: string }) => thread_id)
  const [byOwner, byManager, byMember] = [await idsFor(owner), await idsFor(manager), await idsFor(reporters[0]!)]
  const denied = await resolve(body.id, 'deleted', reporters[0])
  const first = await listReports()
  const { next_cursor } = (await owner.get(`${reportsUrl}?limit=1`)).body
  const second = (await owner.get(`${reportsUrl}?limit=1&cursor=${next_cursor}`)).body

  assert.deepEqual([byOwner.includes(thread.id), byOwner.includes(elsewhere.id)], [true, false])
  assert.deepEqual([byManager.includes(thread.id), byManager.includes(elsewhere.id)], [true, true])
  assert.deepEqual(byMember, [])
  assert.deepEqual([denied.status, denied.body.code], [403, 'role_required'])
  assert.deepEqual([first.items[0].id, second.items[0].id], [body.id, first.items[1].id])
})

test('a resolution acts on the post and resolves all its reports', async () => {
  const [hiddenThread, deletedThread, deletedElsewhere] = [
    await createThread(room.id),
    await createThread(room.id),
    await createThread(room.id),
  ]
  const reply = await createReply(hiddenThread)
  const ofHidden = [await report(hiddenThread), await report(hiddenThread, reporters[1])]
  const [ofDeleted, ofReply, ofElsewhere] = [
    await report(deletedThread),
    await report(reply),
    await report(deletedElsewhere),
  ]

  const hidden = await resolve(ofHidden[0]!.body.id, 'hidden')
  const same = await resolve(ofHidden[1]!.body.id, 'hidden')
  const different = await resolve(ofHidden[1]!.body.id, 'kept')
  const readOnly = await acme.admin.post('/api/api-keys', { name: 'Moderation', scopes: ['community.write'] })
  const byKey = await acme
    .bearer(`Bearer ${readOnly.body.key}`)
    .patch(`${reportsUrl}/${ofDeleted.body.id}`, { resolution: 'deleted' })
  const deleted = await resolve(ofDeleted.body.id, 'deleted')
  await resolve(ofReply.body.id, 'deleted', manager)
  await manager.delete(deletedElsewhere.url)

  assert.deepEqual([hidden.body.resolution, hidden.body.is_hidden], ['hidden', true])
  assert.deepEqual([same.status, different.status, different.body.code], [200, 409, 'conflict'])
  assert.deepEqual([byKey.status, byKey.body.required_scope], [403, 'community.delete'])
  assert.deepEqual([deleted.body.resolution, deleted.body.is_deleted], ['deleted', true])
  assert.equal((await manager.get(deletedThread.url)).status, 404)
  assert.equal(await countOf(hiddenThread), 0)
  const { rows } = await acme.sql('select resolution, resolved_by from community.reports where id = $1', [
    ofElsewhere.body.id,
  ])
  assert.deepEqual(rows, [{ resolution: 'deleted', resolved_by: manager.userId }])
  for (const post of [hiddenThread, deletedThread, reply, deletedElsewhere]) assert.deepEqual(await reportsOf(post), [])
})

test('a user can create 20 reports per day, a moderator five times as many', async () => {
  const limited = await startCommunityApp({ RATE_LIMIT_FACTOR: '1' })
  const forum = await limited.createRoom()
  const thread = await limited.createThread(forum.id)
  const reportOnce = (user: typeof member) => user.post(`${thread.url}/report`, { reason: 'spam' })

  const statuses: number[] = []
  for (let n = 0; n < 21; n++) statuses.push((await reportOnce(limited.acme.member)).status)
  const byModerator: number[] = []
  for (let n = 0; n < 21; n++) byModerator.push((await reportOnce(limited.acme.manager)).status)

  assert.deepEqual([statuses[0], statuses[19], statuses[20]], [201, 200, 429])
  assert.deepEqual([byModerator[0], byModerator[20]], [201, 200])
})

test('a report notifies the owner of the room and 20 managers, however many there are', async () => {
  for (let n = 0; n < 25; n++) await acme.person('manager')
  const thread = await createThread(room.id)

  assert.equal((await report(thread, reporters[0])).status, 201)

  const { rows } = await acme.sql(
    `select count(*)::integer as count from platform.notifications where tenant_id = $1 and resource_id = $2`,
    [acme.id, thread.id],
  )
  assert.equal(rows[0].count, 21)
})

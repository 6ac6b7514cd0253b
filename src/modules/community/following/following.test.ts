import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { waitUntil } from '#testing'
import { startCommunityApp, threadsUrl } from '../community.fixture.ts'
import { notifyFollowers } from './notify-followers.service.ts'

const app = await startCommunityApp()
const { acme, tenant, services, createRoom, createThread, createReply, notified, startTestWorker } = app
const { member, manager, viewer } = acme
const mention = ({ userId }: { userId: string }) => `[@you](mention:${userId})`
const follow = async (thread: { url: string }, user: typeof member, action = 'follow') => {
  const { status, body } = await user.post(`${thread.url}/${action}`)
  assert.equal(status, 200)
  return body
}
const read = (thread: { url: string }, user: typeof member, body?: object) => user.post(`${thread.url}/read`, body)
const idsOf = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id)

test('a reply notifies the author and the followers of its thread once, and not the user who wrote it', async () => {
  await startTestWorker()
  const room = await createRoom()
  const [author, first, second, writer] = [
    await acme.person('member'),
    await acme.person('member'),
    await acme.person('member'),
    await acme.person('member'),
  ]
  const thread = await createThread(room.id, {}, author)
  for (const user of [author, first, second, writer]) await follow(thread, user)

  await createReply(thread, { body: `Hello ${mention(second)}` }, writer)
  await waitUntil(async () => (await notified(first.userId)).length > 0)
  const afterFirst = await Promise.all([author, first, second, writer].map(({ userId }) => notified(userId)))
  for (const user of [author, first]) await follow(thread, user, 'unfollow')
  await createReply(thread, {}, writer)
  await waitUntil(async () => (await notified(second.userId)).length > 1)

  assert.deepEqual(afterFirst, [['thread.replied'], ['thread.replied'], ['thread.mentioned'], []])
  assert.deepEqual(await Promise.all([author, first, second, writer].map(({ userId }) => notified(userId))), [
    ['thread.replied'],
    ['thread.replied'],
    ['thread.mentioned', 'thread.replied'],
    [],
  ])
})

test('followers are notified in batches, unless they cannot read the room or the reply is hidden', async () => {
  const room = await createRoom()
  const thread = await createThread(room.id)
  const followers = [await acme.person('member'), await acme.person('member'), await acme.person('member')]
  for (const { userId } of followers)
    await acme.sql(
      'insert into community.thread_readers (tenant_id, thread_id, user_id, is_following) values ($1, $2, $3, true)',
      [acme.id, thread.id, userId],
    )
  const reply = await createReply(thread, {}, manager)
  await acme.sql(`delete from platform.notifications where user_id = any ($1)`, [followers.map(({ userId }) => userId)])
  const run = (after = nilUuid) =>
    inTenant(services.db, systemActor(acme.id), (tx) =>
      notifyFollowers(tx, reply.id, { threadId: thread.id, after, limit: 2 }),
    )
  const sorted = followers.map(({ userId }) => userId).sort()

  await manager.patch(reply.url, { hidden: true })
  const whileHidden = await run()
  await manager.patch(reply.url, { hidden: false })
  const [next, end] = [await run(), await run(sorted[1])]
  await run()

  assert.deepEqual([whileHidden, next, end], [undefined, sorted[1], undefined])
  for (const userId of sorted) assert.deepEqual(await notified(userId), ['thread.replied'])
})

test('followed threads are those that the user follows, with the own threads that the user did not unfollow', async () => {
  const room = await createRoom()
  const reader = await acme.person('member')
  const [own, left] = [await createThread(room.id, {}, reader), await createThread(room.id, {}, reader)]
  const [other, found] = [await createThread(room.id), await createThread(room.id, { title: 'Numbat' })]
  const list = async (query = '') => idsOf(await reader.get(`${threadsUrl}?followed=true${query}`)).sort()

  const before = await list()
  assert.equal((await follow(left, reader, 'unfollow')).is_following, false)
  assert.equal((await follow(found, reader)).is_following, true)
  await follow(other, reader)
  await follow(other, reader, 'unfollow')

  assert.deepEqual(before, [own.id, left.id].sort())
  assert.deepEqual(await list(), [own.id, found.id].sort())
  assert.deepEqual(await list('&search=numbat'), [found.id])
  assert.deepEqual((await reader.get(own.url)).body.is_following, true)
  assert.deepEqual((await viewer.get(own.url)).body.is_following, false)
})

test('a thread is unread until the user reads it, and after each reply of others', async () => {
  const room = await createRoom()
  const [author, reader] = [await acme.person('member'), await acme.person('member')]
  const thread = await createThread(room.id, {}, author)
  const stateOf = async (user: typeof member) => {
    const { items } = (await user.get(`${threadsUrl}?room_id=${room.id}`)).body
    const { is_unread, unread_count } = (await user.get(thread.url)).body
    assert.deepEqual([items[0].is_unread, items[0].unread_count], [is_unread, unread_count])
    return [is_unread, unread_count]
  }

  const untouched = [await stateOf(author), await stateOf(reader), await stateOf(viewer)]
  const marked = await read(thread, reader)
  const [first, second] = [await createReply(thread), await createReply(thread)]
  const twoReplies = [await stateOf(author), await stateOf(reader), await stateOf(member), await stateOf(viewer)]
  await read(thread, reader, { reply_no: first.reply_no })
  const oneRead = await stateOf(reader)
  await read(thread, reader, { reply_no: 2_000_000_000 })
  await read(thread, reader, { reply_no: 0 })
  const allRead = await stateOf(reader)
  await createReply(thread, {}, author)
  const repliedByAuthor = [await stateOf(author), await stateOf(reader)]
  await manager.patch(second.url, { hidden: true })

  assert.deepEqual(untouched, [
    [false, 0],
    [true, 0],
    [false, 0],
  ])
  assert.deepEqual(marked.body, { thread_id: thread.id, is_following: false, is_unread: false, unread_count: 0 })
  assert.deepEqual(twoReplies, [
    [true, 2],
    [true, 2],
    [false, 0],
    [false, 0],
  ])
  assert.deepEqual(
    [oneRead, allRead],
    [
      [true, 1],
      [false, 0],
    ],
  )
  assert.deepEqual(repliedByAuthor, [
    [false, 0],
    [true, 1],
  ])
  assert.deepEqual(await stateOf(await acme.person('member')), [true, 2])
})

test('only users who can read a thread and write in community follow it and mark it as read', async () => {
  const other = await tenant()
  const draft = await createThread((await createRoom({ status: 'draft' })).id, {}, manager)
  const hidden = await createThread((await createRoom()).id)
  await manager.patch(hidden.url, { hidden: true })
  const reader = await acme.person('member')

  for (const action of ['follow', 'unfollow', 'read']) {
    const calls = [
      await other.admin.post(`${hidden.url}/${action}`),
      await reader.post(`${draft.url}/${action}`),
      await reader.post(`${hidden.url}/${action}`),
      await viewer.post(`${hidden.url}/${action}`),
      await member.post(`${hidden.url}/${action}`),
    ]
    assert.deepEqual(
      calls.map(({ status }) => status),
      [404, 404, 404, 403, 200],
    )
  }
  assert.equal((await read(hidden, member, { reply_no: -1 })).status, 422)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { retryWhenBusy, waitUntil } from '#testing'
import { roomsUrl, startCommunityApp, threadsUrl } from '../community.fixture.ts'

const app = await startCommunityApp()
const { acme, tenant, clock, createRoom, createThread, createReply, changeSettings, notified } = app
const { member, manager, viewer } = acme
const room = await createRoom()
const readThread = async ({ url }: { url: string }) => (await viewer.get(url)).body

test('engagement-2-2 concurrent replies are numbered without gaps, and each is deleted once', async () => {
  const numbers = Array.from({ length: 50 }, (_, n) => n + 1)
  const thread = await createThread(room.id)

  const replies = await Promise.all(
    numbers.map((n) => retryWhenBusy(() => member.post(`${thread.url}/replies`, { body: `Reply ${n}` }))),
  )
  const filled = await readThread(thread)
  const deletions = await Promise.all(
    replies.map(async ({ body }) => {
      const remove = () => retryWhenBusy(() => manager.delete(`${thread.url}/replies/${body.id}`))
      return (await Promise.all([remove(), remove()])).map(({ status }) => status).sort()
    }),
  )

  assert.deepEqual(
    replies.map(({ body }) => body.reply_no).sort((one, other) => one - other),
    numbers,
  )
  assert.equal(filled.reply_count, 50)
  assert.deepEqual(new Set(deletions.map(String)), new Set(['204,404']))
  const emptied = await readThread(thread)
  assert.deepEqual([emptied.reply_count, emptied.last_reply_at], [0, null])
  assert.equal(emptied.last_activity_at, emptied.created_at)
})

test('replies are listed by number, and a deleted one leaves a gap and the last reply behind it', async () => {
  const thread = await createThread(room.id)
  const replies = []
  for (let n = 0; n < 4; n++) {
    clock.advance(1)
    replies.push(await createReply(thread))
  }
  const numbersOf = async (query = '', user = viewer) =>
    (await user.get(`${thread.url}/replies?${query}`)).body.items.map(({ reply_no }: { reply_no: number }) => reply_no)

  const answer = await createReply(thread, { reply_to_id: replies[0].id }, manager)
  await member.delete(replies[1].url)
  await manager.delete(answer.url)
  const after = await readThread(thread)

  assert.deepEqual([answer.reply_no, answer.reply_to_id], [5, replies[0].id])
  assert.deepEqual(await numbersOf(), [1, 3, 4])
  assert.deepEqual(await numbersOf('after_no=1&limit=1'), [3])
  const first = (await viewer.get(`${thread.url}/replies?limit=2`)).body
  assert.deepEqual([first.total, await numbersOf(`limit=2&cursor=${first.next_cursor}`)], [3, [4]])
  assert.deepEqual(await numbersOf('include_deleted=true'), [1, 3, 4])
  assert.deepEqual(await numbersOf('include_deleted=true', manager), [1, 2, 3, 4, 5])
  assert.deepEqual([after.reply_count, after.last_reply_at], [3, replies[3].created_at])
  assert.equal(after.last_activity_at, replies[3].created_at)
  assert.equal(after.version, thread.version)
  const toDeleted = await member.post(`${thread.url}/replies`, { body: 'Hi', reply_to_id: answer.id })
  const elsewhere = await createReply(await createThread(room.id))
  const toOther = await member.post(`${thread.url}/replies`, { body: 'Hi', reply_to_id: elsewhere.id })
  for (const { status, body } of [toDeleted, toOther])
    assert.deepEqual([status, body.errors[0].path, body.errors[0].code], [422, '/reply_to_id', 'unknown_reference'])
})

test('hidden replies are shown to their author and moderators on request, and an accepted one is cleared by its deletion', async () => {
  const thread = await createThread(room.id, { kind: 'question' })
  const [hidden, accepted] = [await createReply(thread), await createReply(thread, {}, manager)]
  await acme.sql('update community.replies set hidden_at = now() where id = $1', [hidden.id])
  await acme.sql('update community.threads set reply_count = 1, accepted_reply_id = $2 where id = $1', [
    thread.id,
    accepted.id,
  ])
  const listed = async (user: typeof member, query = '') =>
    (await user.get(`${thread.url}/replies${query}`)).body.items.map(
      ({ reply_no, is_accepted, is_hidden }: { reply_no: number; is_accepted: boolean; is_hidden: boolean }) =>
        `${reply_no}${is_accepted ? ' accepted' : ''}${is_hidden ? ' hidden' : ''}`,
    )

  assert.deepEqual(await listed(viewer, '?include_hidden=true'), ['2 accepted'])
  assert.deepEqual(await listed(member), ['2 accepted'])
  assert.deepEqual(await listed(member, '?include_hidden=true'), ['1 hidden', '2 accepted'])
  assert.deepEqual(await listed(manager, '?include_hidden=true'), ['1 hidden', '2 accepted'])
  assert.equal((await (await acme.person('member')).delete(hidden.url)).status, 404)
  assert.equal((await manager.delete(hidden.url)).status, 204)
  assert.equal((await readThread(thread)).reply_count, 1)
  const byOther = await member.delete(accepted.url)
  assert.deepEqual([byOther.status, byOther.body.code], [403, 'role_required'])
  assert.equal((await manager.delete(accepted.url)).status, 204)
  assert.partialDeepStrictEqual(await readThread(thread), { reply_count: 0, accepted_reply_id: null })
})

test('a table whose cells would take long to render is refused before it is parsed', async () => {
  const body = `${'|a'.repeat(300)}|\n${'|-'.repeat(300)}|\n${'x\n'.repeat(50)}`
  const thread = await createThread(room.id)
  const reply = await createReply(thread)

  const refused = [
    await member.post(threadsUrl, { room_id: room.id, title: 'Table', body }),
    await member.post(`${thread.url}/replies`, { body }),
    await member.patch(thread.url, { body }),
    await member.patch(reply.url, { body }),
  ]

  for (const { status, body: problem } of refused)
    assert.deepEqual([status, problem.errors?.[0].code], [422, 'max_cells'])
})

test('only moderators reply to a locked thread', async () => {
  const thread = await createThread(room.id)
  await acme.sql('update community.threads set locked_at = now() where id = $1', [thread.id])

  const byMember = await member.post(`${thread.url}/replies`, { body: 'Hi' })
  const byManager = await manager.post(`${thread.url}/replies`, { body: 'Hi' })

  assert.deepEqual([byMember.status, byMember.body.code, byManager.status], [409, 'thread_locked', 201])
})

test('slow mode requires a pause between two replies of a member', async () => {
  const slow = await createRoom()
  await changeSettings(slow.id, { slow_mode_seconds: 60 })
  const [thread, other] = [await createThread(slow.id), await createThread(slow.id)]
  const reply = (user = member, { url } = thread) => user.post(`${url}/replies`, { body: newId() })
  clock.freeze()

  const statuses = [(await reply()).status, (await reply(manager)).status, (await reply(manager)).status]
  clock.advance(20)
  const early = await reply(member, other)
  clock.advance(40)
  const later = await reply(member, other)

  assert.deepEqual(statuses, [201, 201, 201])
  assert.deepEqual([early.status, early.body.code, early.headers['retry-after']], [429, 'rate_limited', '40'])
  assert.equal(later.status, 201)
})

test('the author of a thread is notified of replies of others, once for each post', async () => {
  const author = await acme.person('member')
  const thread = await createThread(room.id, {}, author)

  await createReply(thread, {}, author)
  const afterOwn = await notified(author.userId)
  await createReply(thread)
  await createReply(thread, { body: `[@you](mention:${author.userId}) look` })

  assert.deepEqual(afterOwn, [])
  assert.deepEqual(await notified(author.userId), ['thread.replied', 'thread.mentioned'])
  assert.deepEqual(
    (await acme.events()).slice(-4),
    ['thread_created', ...Array(3).fill('reply_created')].map((fact) => `community.${fact}`),
  )
})

test('a room with threads keeps its type, and its deletion deletes them', async () => {
  const forum = await createRoom()
  const url = `${roomsUrl}${forum.id}`
  const thread = await createThread(forum.id)

  const changed = await manager.patch(url, { room_type: 'general' })
  const renamed = await manager.patch(url, { name: 'Forum' })
  await manager.delete(thread.url)
  const emptied = await manager.patch(url, { room_type: 'general' })
  await manager.patch(url, { room_type: 'community' })
  const last = await createThread(forum.id)
  await manager.patch(`${last.url}/pin`)
  const worker = await app.startTestWorker()
  const deleted = await manager.delete(url)
  const isDeleted = async () => {
    const { rows } = await acme.sql('select 1 from community.threads where id = $1 and deleted_at is not null', [
      last.id,
    ])
    return rows.length === 1
  }
  await waitUntil(isDeleted)
  await worker.stop()

  assert.deepEqual([changed.status, changed.body.code], [409, 'conflict'])
  assert.deepEqual([renamed.status, emptied.status, deleted.status], [200, 200, 204])
  assert.equal((await manager.get(`${last.url}?include_deleted=true`)).status, 404)
  const all = (await manager.get(`${threadsUrl}?include_deleted=true&limit=200`)).body.items
  assert.ok(!all.some(({ room_id }: { room_id: string }) => room_id === forum.id))
})

test('one reply is read by its id, hidden and deleted ones only by those who may see them', async () => {
  const room = await createRoom()
  const [thread, other] = [await createThread(room.id, {}, manager), await createThread(room.id, {}, manager)]
  const reply = await createReply(thread)
  const reader = await acme.person('member')
  const statuses = async (url: string, query = '') => [
    (await member.get(`${url}${query}`)).status,
    (await manager.get(`${url}${query}`)).status,
    (await reader.get(`${url}${query}`)).status,
  ]

  const shown = await reader.get(reply.url)
  const [listed] = (await reader.get(`${thread.url}/replies`)).body.items
  const elsewhere = await manager.get(`${other.url}/replies/${reply.id}`)
  const foreign = await (await tenant()).admin.get(reply.url)
  await manager.patch(reply.url, { hidden: true })
  const hidden = await statuses(reply.url)
  await manager.delete(reply.url)
  const deleted = [...(await statuses(reply.url)), ...(await statuses(reply.url, '?include_deleted=true'))]

  assert.deepEqual(shown.body, listed)
  assert.deepEqual([elsewhere.status, foreign.status], [404, 404])
  assert.deepEqual(hidden, [200, 200, 404])
  assert.deepEqual(deleted, [404, 404, 404, 404, 200, 404])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { publicRoomUrl, publicThreadUrl, roomsUrl, startCommunityApp, threadsUrl } from '../community.fixture.ts'

const { acme, tenant, createRoom, createThread, createReply, changeSettings } = await startCommunityApp()
const { member, manager, viewer } = acme
const idsOf = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id)

test('engagement-2-1 a thread needs an active community room', async () => {
  const deal = (await manager.post(roomsUrl, { name: 'Deal' })).body
  const [draft, active] = [await createRoom({ status: 'draft' }), await createRoom()]
  const create = (room_id: string, user = member) =>
    user.post(threadsUrl, { room_id, title: 'Welcome', body: 'Hello **all**' })

  const inDeal = await create(deal.id)
  const inDraft = await create(draft.id)
  const byModerator = await create(draft.id, manager)
  const created = await create(active.id)

  assert.deepEqual(
    [inDeal.status, inDeal.body.code, inDeal.body.errors[0].path, inDeal.body.errors[0].code],
    [422, 'validation_failed', '/room_id', 'room_not_community'],
  )
  assert.deepEqual([inDraft.status, inDraft.body.code, byModerator.status], [409, 'room_not_active', 201])
  assert.deepEqual([created.status, created.headers.location], [201, `${threadsUrl}/${created.body.id}`])
  const read = await viewer.get(created.headers.location as string)
  assert.equal(read.headers.etag, '"1"')
  assert.partialDeepStrictEqual(read.body, {
    room_id: active.id,
    kind: 'discussion',
    title: 'Welcome',
    body: 'Hello **all**',
    excerpt: 'Hello all',
    body_html: '<p>Hello <strong>all</strong></p>\n',
    author: { id: member.userId, name: member.name },
    is_pinned: false,
    is_locked: false,
    is_hidden: false,
    reply_count: 0,
    last_reply_at: null,
    can: { edit: false, delete: false, pin: false, moderate: false },
  })
  assert.deepEqual(created.body.can, { edit: true, delete: true, pin: false, moderate: false })
  assert.equal(created.body.last_activity_at, created.body.created_at)
})

test('drafts show nothing to others, closed rooms can only be read, and deleted rooms are not found', async () => {
  const [draft, closed, deleted] = [await createRoom({ status: 'draft' }), await createRoom(), await createRoom()]
  const ofDraft = await createThread(draft.id, {}, manager)
  const [ofClosed, ofDeleted] = [await createThread(closed.id), await createThread(deleted.id)]
  const reply = await createReply(ofClosed)
  await manager.patch(`${roomsUrl}${closed.id}`, { status: 'closed' })
  assert.equal((await manager.delete(`${roomsUrl}${deleted.id}`)).status, 204)
  const listed = async (roomId: string, user = member) => idsOf(await user.get(`${threadsUrl}?room_id=${roomId}`))

  assert.deepEqual([await listed(draft.id), await listed(draft.id, manager)], [[], [ofDraft.id]])
  assert.deepEqual([await listed(closed.id), await listed(deleted.id), await listed(newId())], [[ofClosed.id], [], []])
  const all = idsOf(await member.get(`${threadsUrl}?limit=200`))
  assert.deepEqual(
    [ofDraft, ofClosed, ofDeleted].map(({ id }) => all.includes(id)),
    [false, true, false],
  )
  const statuses = async (url: string) => [
    (await member.get(url)).status,
    (await member.get(`${url}/replies`)).status,
    (await member.post(`${url}/replies`, { body: 'Hi' })).status,
    (await manager.patch(`${url}/pin`, { pinned: false })).status,
    (await manager.delete(url)).status,
  ]
  assert.equal((await member.delete(reply.url)).body.code, 'room_not_active')
  assert.deepEqual(await statuses(ofClosed.url), [200, 200, 409, 200, 204])
  assert.deepEqual(await statuses(ofDeleted.url), [404, 404, 404, 404, 404])
  assert.deepEqual(
    [(await member.get(ofDraft.url)).status, (await member.post(`${ofDraft.url}/replies`, { body: 'Hi' })).status],
    [404, 409],
  )
})

test('announcements and rooms with the policy "moderators" are for moderators', async () => {
  const [open, restricted] = [await createRoom(), await createRoom({}, member)]
  await changeSettings(restricted.id, { post_policy: 'moderators' })
  const other = await acme.person('member')
  const create = async (user: typeof member, room_id: string, fields: object = {}) => {
    const { status, body } = await user.post(threadsUrl, { room_id, title: 'Plan', body: newId(), ...fields })
    return status === 201 ? 201 : `${status} ${body.code}`
  }

  assert.equal(await create(other, open.id, { kind: 'announcement' }), '403 role_required')
  assert.equal(await create(manager, open.id, { kind: 'announcement' }), 201)
  assert.equal(await create(other, restricted.id), '403 role_required')
  assert.equal(await create(member, restricted.id), 201)
  assert.equal(await create(member, restricted.id, { kind: 'announcement' }), 201)
  assert.equal(await create(other, restricted.id, { kind: 'question' }), '403 role_required')
})

test('engagement-2-10 the same text is not posted twice, and a repeated request creates one thread', async () => {
  const [room, otherRoom] = [await createRoom(), await createRoom()]
  const input = { room_id: room.id, title: 'Prices', body: 'What are the  prices?' }
  const first = await member.post(threadsUrl, input)

  const again = await member.post(threadsUrl, { ...input, title: 'Other title', body: 'what are THE prices? ' })
  const elsewhere = await member.post(threadsUrl, { ...input, room_id: otherRoom.id })
  const byOther = await manager.post(threadsUrl, input)
  const keyed = member.with({ headers: { 'idempotency-key': newId() } })
  const [original, replayed] = [
    await keyed.post(threadsUrl, { ...input, body: 'Once' }),
    await keyed.post(threadsUrl, { ...input, body: 'Once' }),
  ]

  assert.deepEqual([first.status, again.status, again.body.code], [201, 409, 'duplicate_post'])
  assert.equal(again.body.existing_id, first.body.id)
  assert.deepEqual([elsewhere.status, byOther.status], [201, 201])
  assert.deepEqual([original.status, replayed.status], [201, 201])
  assert.equal(replayed.headers['idempotency-replayed'], 'true')
  assert.deepEqual(replayed.body, original.body)
  const { rows } = await acme.sql('select id from community.threads where room_id = $1 and body = $2', [
    room.id,
    'Once',
  ])
  assert.equal(rows.length, 1)
  await member.delete(`${threadsUrl}/${first.body.id}`)
  assert.equal((await member.post(threadsUrl, input)).status, 201)
})

test('engagement-2-3 moderators pin up to five threads of a room', async () => {
  const room = await createRoom()
  const threads: Awaited<ReturnType<typeof createThread>>[] = []
  for (let n = 0; n < 7; n++) threads.push(await createThread(room.id))
  const pin = (n: number, body?: object, user = manager) => user.patch(`${threads[n].url}/pin`, body)
  const countPins = async () =>
    (await acme.sql('select id from community.threads where room_id = $1 and is_pinned', [room.id])).rows.length

  const toggled = [(await pin(0)).body.is_pinned, (await pin(0)).body.is_pinned]
  for (let n = 0; n < 4; n++) await pin(n)
  const both = await Promise.all([pin(4), pin(5)])
  const pinsAfterBoth = await countPins()
  const set = await Promise.all([pin(0, { pinned: true }), pin(0, { pinned: true })])
  await pin(1, { pinned: false })
  const setAgain = await Promise.all([pin(6, { pinned: true }), pin(6, { pinned: true })])
  const byMember = await pin(0, undefined, member)

  assert.deepEqual(toggled, [true, false])
  assert.deepEqual(both.map(({ status, body }) => body.code ?? status).sort(), [200, 'pin_limit'])
  assert.deepEqual([both.find(({ status }) => status !== 200)!.status, pinsAfterBoth], [409, 5])
  for (const { status, body } of [...set, ...setAgain]) assert.deepEqual([status, body.is_pinned], [200, true])
  assert.equal(await countPins(), 5)
  assert.deepEqual([byMember.status, byMember.body.code], [403, 'role_required'])
  const events = (await acme.events()).filter((type) => /pinned/.test(type))
  assert.deepEqual(events.slice(0, 3), [
    'community.thread_pinned',
    'community.thread_unpinned',
    'community.thread_pinned',
  ])
  await manager.delete(threads[0].url)
  assert.equal(await countPins(), 4)
})

test('engagement-2-6 an author cannot delete a question that others answered', async () => {
  const room = await createRoom()
  const [question, own] = [await createThread(room.id, { kind: 'question' }), await createThread(room.id)]
  const answer = await createReply(question, {}, manager)
  await createReply(own)

  const byAuthor = await member.delete(question.url)
  const shown = (await member.get(question.url)).body.can
  const foreign = await (await acme.person('member')).delete(own.url)
  const withOwnReply = await member.delete(own.url)
  const byManager = await manager.delete(question.url)
  const again = await manager.delete(question.url)

  assert.deepEqual([byAuthor.status, byAuthor.body.code, shown.delete], [409, 'has_replies', false])
  assert.deepEqual([foreign.status, foreign.body.code], [403, 'role_required'])
  assert.deepEqual([withOwnReply.status, byManager.status, again.status], [204, 204, 404])
  for (const url of [question.url, `${question.url}/replies`]) {
    assert.equal((await member.get(url)).status, 404)
    assert.equal((await manager.get(url)).status, 404)
    assert.equal((await member.get(`${url}?include_deleted=true`)).status, 404)
    assert.equal((await manager.get(`${url}?include_deleted=true`)).status, 200)
  }
  assert.equal((await manager.delete(answer.url)).status, 404)
  const list = `${threadsUrl}?room_id=${room.id}`
  assert.deepEqual(idsOf(await member.get(`${list}&include_deleted=true`)), [])
  assert.deepEqual(idsOf(await manager.get(list)), [])
  assert.deepEqual(idsOf(await manager.get(`${list}&include_deleted=true`)).sort(), [question.id, own.id].sort())
  assert.deepEqual((await acme.audit()).slice(-2), ['thread.deleted', 'thread.deleted'])
})

test('engagement-2-12 other workspaces and viewers cannot use the threads of a workspace', async () => {
  const other = await tenant()
  const room = await createRoom()
  await changeSettings(room.id, { public_read: true })
  const thread = await createThread(room.id)
  const reply = await createReply(thread)
  const foreign = other.admin

  const byOther = await Promise.all([
    foreign.get(thread.url),
    foreign.delete(thread.url),
    foreign.patch(`${thread.url}/pin`),
    foreign.get(`${thread.url}/replies`),
    foreign.post(`${thread.url}/replies`, { body: 'Hi' }),
    foreign.delete(reply.url),
    other.anonymous.get(publicRoomUrl(room.id)),
    other.anonymous.get(publicThreadUrl(thread.id)),
  ])
  const inBody = await foreign.post(threadsUrl, { room_id: room.id, title: 'Hello', body: 'Hi' })
  const inFilter = await foreign.get(`${threadsUrl}?room_id=${room.id}`)
  const wrongThread = await manager.delete(`${(await createThread(room.id)).url}/replies/${reply.id}`)
  const readByViewer = [(await viewer.get(thread.url)).status, (await viewer.get(`${thread.url}/replies`)).status]
  const postedByViewer = [
    await viewer.post(threadsUrl, { room_id: room.id, title: 'Hello', body: 'Hi' }),
    await viewer.post(`${thread.url}/replies`, { body: 'Hi' }),
  ]

  assert.deepEqual(
    byOther.map(({ status }) => status),
    Array(8).fill(404),
  )
  assert.deepEqual([inBody.status, inBody.body.code], [422, 'unknown_reference'])
  assert.deepEqual([inFilter.status, inFilter.body.items], [200, []])
  assert.equal(wrongThread.status, 404)
  assert.deepEqual(readByViewer, [200, 200])
  assert.deepEqual(
    postedByViewer.map(({ status }) => status),
    [403, 403],
  )
  assert.equal((await member.get(`${thread.url}/replies`)).body.total, 1)
})

test('a title has no control characters, and the thread can be changed only in its current version', async () => {
  const room = await createRoom()

  const thread = await createThread(room.id, { title: 'Invoice \u202efdp.exe\u0007 \n 2026' })
  const tooShort = await member.post(threadsUrl, { room_id: room.id, title: 'A\u202e\u202e', body: 'Hi' })
  const outdated = await member.with({ headers: { 'if-match': '"7"' } }).delete(thread.url)

  assert.equal(thread.title, 'Invoice fdp.exe 2026')
  assert.deepEqual([tooShort.status, tooShort.body.errors[0].path], [422, '/title'])
  assert.equal(outdated.status, 412)
})

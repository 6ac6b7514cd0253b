import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicRoomUrl, publicThreadUrl, roomsUrl, startCommunityApp, threadsUrl } from '../community.fixture.ts'

const { acme, tenant, createRoom, createThread, createReply, changeSettings, notified } = await startCommunityApp()
const { member, manager, viewer } = acme
const room = await createRoom()
const asker = await acme.person('member')
const mention = ({ userId }: { userId: string }) => `[@you](mention:${userId})`
const idsOf = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id)
const read = async (url: string) => (await manager.get(url)).body
const statusesOf = (responses: { status: number }[]) => responses.map(({ status }) => status)

test('engagement-2-5 a deleted reply is found nowhere until a moderator restores it', async () => {
  const open = await createRoom()
  await changeSettings(open.id, { public_read: true })
  const reader = await acme.person('member')
  const thread = await createThread(open.id, { kind: 'question' }, asker)
  const reply = await createReply(thread, { body: `Use the flibbertigibbet, ${mention(reader)}` })
  await createReply(thread, { body: 'Anything else?' }, asker)
  await asker.put(`${thread.url}/answer`, { reply_id: reply.id })
  const find = async () => ({
    public: (await acme.anonymous.get(publicThreadUrl(thread.id))).body.replies.items.length,
    member: idsOf(await reader.get(`${thread.url}/replies`)).includes(reply.id),
    search: idsOf(await reader.get(`${threadsUrl}?search=flibbertigibbet`)),
    mentioned: idsOf(await reader.get(`${threadsUrl}?mentioned=true`)),
    accepted: (await reader.get(thread.url)).body.accepted_reply_id,
    unanswered: idsOf(await reader.get(`${threadsUrl}?unanswered=true`)).includes(thread.id),
    deleted: idsOf(await reader.get(`${thread.url}/replies?include_deleted=true`)).includes(reply.id),
    count: (await reader.get(thread.url)).body.reply_count,
  })
  const before = await find()
  const numbered = (await reader.get(`${threadsUrl}?search=flibbertigib`)).body.items[0].matched_reply_no

  assert.equal((await member.delete(reply.url)).status, 204)
  const after = await find()
  const byModerator = await manager.get(`${thread.url}/replies?include_deleted=true`)
  const found = await manager.get(`${threadsUrl}?search=flibbertigibbet&include_deleted=true`)
  const restoredByMember = await reader.post(`${reply.url}/restore`)
  const restored = await manager.post(`${reply.url}/restore`)
  const again = await manager.post(`${reply.url}/restore`)

  const everywhere = { public: 2, member: true, search: [thread.id], mentioned: [thread.id], accepted: reply.id }
  assert.deepEqual(before, { ...everywhere, unanswered: false, deleted: true, count: 2 })
  assert.equal(numbered, 1)
  const nowhere = { public: 1, member: false, search: [], mentioned: [], accepted: null }
  assert.deepEqual(after, { ...nowhere, unanswered: true, deleted: false, count: 1 })
  const [deleted] = byModerator.body.items
  assert.deepEqual([deleted.id, deleted.deleted_at !== null], [reply.id, true])
  assert.deepEqual(idsOf(found), [thread.id])
  assert.deepEqual(statusesOf([restoredByMember, restored, again]), [404, 200, 404])
  assert.deepEqual(await find(), { ...everywhere, accepted: null, unanswered: true, deleted: true, count: 2 })
})

test('authors edit their posts, and the audit log keeps the former text', async () => {
  const thread = await createThread(room.id, { title: 'First title', body: `Former text ${'x'.repeat(15_000)}` })
  const reply = await createReply(thread, { body: 'Former reply' })
  const other = await acme.person('member')

  const edited = await member.patch(thread.url, { title: 'Second title', body: 'New **text**', kind: 'question' })
  const editedReply = await member.patch(reply.url, { body: 'New reply' })
  const unchanged = await member.patch(thread.url, { title: 'Second title' })
  const denied = [
    await other.patch(thread.url, { title: 'Mine now' }),
    await other.patch(reply.url, { body: 'Mine now' }),
    await member.patch(thread.url, { kind: 'announcement' }),
    await member.patch(thread.url, { locked: true }),
    await member.patch(reply.url, { hidden: true }),
    await viewer.patch(thread.url, { title: 'Mine now' }),
  ]
  const outdated = await member.patch(thread.url, { title: 'Third title' }, { 'if-match': `"${thread.version}"` })
  const byModerator = await manager.patch(thread.url, { kind: 'announcement' })

  const { title, body_html, excerpt, kind, edited_at, version } = edited.body
  assert.deepEqual(
    [title, body_html, excerpt, kind],
    ['Second title', '<p>New <strong>text</strong></p>\n', 'New text', 'question'],
  )
  assert.ok(edited_at)
  assert.deepEqual([editedReply.body.body, editedReply.body.version], ['New reply', reply.version + 1])
  assert.equal(unchanged.body.version, version)
  assert.deepEqual(statusesOf(denied), [403, 403, 403, 403, 403, 403])
  assert.deepEqual([outdated.status, byModerator.body.kind], [412, 'announcement'])
  const { rows } = await acme.sql(
    `select resource_id, change->>'after' as text from platform.audit_log, jsonb_array_elements(changes) change
     where tenant_id = $1 and resource_id = any ($2) and change->>'field' = 'former_body' order by id`,
    [acme.id, [thread.id, reply.id]],
  )
  const formerOf = (id: string) => rows.filter(({ resource_id }) => resource_id === id).map(({ text }) => text)
  assert.equal(formerOf(thread.id).join(''), thread.body)
  assert.deepEqual(formerOf(reply.id), ['Former reply'])
})

test('engagement-2-8 an edit notifies users who are new among the mentions, once', async () => {
  const [first, second] = [await acme.person('member'), await acme.person('member')]
  const thread = await createThread(room.id, { body: `Hello ${mention(first)}` })
  const edit = (body: string) => member.patch(thread.url, { body })

  await edit(`Hello again ${mention(first)}`)
  await edit(`Hello ${mention(first)} and ${mention(second)}`)
  await edit('Hello')
  await edit(`Hello once more ${mention(first)}`)
  const hidden = await manager.patch(thread.url, { hidden: true })
  const third = await acme.person('member')
  await edit(`Hello ${mention(first)} ${mention(third)}`)

  assert.equal(hidden.status, 200)
  assert.deepEqual(await notified(first.userId), ['thread.mentioned'])
  assert.deepEqual(await notified(second.userId), ['thread.mentioned'])
  assert.deepEqual(await notified(third.userId), [])
})

test('engagement-2-9 only moderators reply to a thread that a moderator has locked', async () => {
  const thread = await createThread(room.id)

  const locked = await manager.patch(thread.url, { locked: true })
  const byMember = await member.post(`${thread.url}/replies`, { body: 'Hi' })
  const byManager = await manager.post(`${thread.url}/replies`, { body: 'Hi' })
  const unlocked = await manager.patch(thread.url, { locked: false })
  const afterwards = await member.post(`${thread.url}/replies`, { body: 'Hi' })

  assert.deepEqual([locked.status, locked.body.is_locked, unlocked.body.is_locked], [200, true, false])
  assert.deepEqual([byMember.status, byMember.body.code], [409, 'thread_locked'])
  assert.deepEqual(statusesOf([byManager, afterwards]), [201, 201])
  const types = (await acme.events()).filter((type) => /locked/.test(type))
  assert.deepEqual(types, ['community.thread_locked', 'community.thread_unlocked'])
})

test('a hidden post is not counted and not found by others, and is counted again when it is shown', async () => {
  const thread = await createThread(room.id, { kind: 'question' })
  const [first, second] = [await createReply(thread), await createReply(thread)]
  await member.put(`${thread.url}/answer`, { reply_id: second.id })
  const counters = async () => {
    const { reply_count, last_reply_at, last_activity_at, accepted_reply_id } = await read(thread.url)
    return { reply_count, last_reply_at, last_activity_at, accepted_reply_id }
  }

  const hidden = await manager.patch(second.url, { hidden: true, hidden_reason: 'Names a customer' })
  await manager.patch(second.url, { hidden: true })
  const whileHidden = await counters()
  const shown = await manager.patch(second.url, { hidden: false })
  const afterwards = await counters()
  const withoutReason = await manager.patch(second.url, { hidden_reason: 'Why?' })
  const hiddenThread = await manager.patch(thread.url, { hidden: true })

  assert.deepEqual([hidden.body.is_hidden, hidden.body.is_accepted, shown.body.is_hidden], [true, false, false])
  const onlyFirst = { reply_count: 1, last_reply_at: first.created_at, last_activity_at: first.created_at }
  assert.deepEqual(whileHidden, { ...onlyFirst, accepted_reply_id: null })
  const both = { reply_count: 2, last_reply_at: second.created_at, last_activity_at: second.created_at }
  assert.deepEqual(afterwards, { ...both, accepted_reply_id: null })
  assert.equal(withoutReason.status, 422)
  assert.equal(hiddenThread.body.is_hidden, true)
  assert.deepEqual(statusesOf([await member.get(thread.url), await viewer.get(thread.url)]), [200, 404])
})

test('a moderator moves a thread to another community room, where it is not pinned', async () => {
  const [target, deal] = [await createRoom(), (await manager.post('/api/enablement/rooms/', { name: 'Deal' })).body]
  const owner = await acme.person('member')
  const ownRoom = await createRoom({}, owner)
  const thread = await createThread(ownRoom.id)
  await owner.patch(`${thread.url}/pin`, { pinned: true })

  const toForeignRoom = await owner.patch(thread.url, { room_id: target.id })
  const byAuthor = await member.patch(thread.url, { room_id: target.id })
  const toDeal = await manager.patch(thread.url, { room_id: deal.id })
  const moved = await manager.patch(thread.url, { room_id: target.id })

  assert.deepEqual(statusesOf([toForeignRoom, byAuthor, toDeal, moved]), [403, 403, 422, 200])
  assert.equal(toDeal.body.errors[0].code, 'room_not_community')
  assert.deepEqual([moved.body.room_id, moved.body.is_pinned], [target.id, false])
  assert.deepEqual(idsOf(await member.get(`${threadsUrl}?room_id=${target.id}`)), [thread.id])
})

test('the author of a question or a moderator accepts a visible reply to it', async () => {
  const [question, discussion] = [await createThread(room.id, { kind: 'question' }), await createThread(room.id)]
  const [reply, elsewhere] = [await createReply(question), await createReply(discussion)]
  const hidden = await createReply(question)
  await manager.patch(hidden.url, { hidden: true })
  const accept = (reply_id: string | null, thread = question, user = member) =>
    user.put(`${thread.url}/answer`, { reply_id })

  const accepted = await accept(reply.id)
  const replies = (await viewer.get(`${question.url}/replies`)).body.items
  const cleared = await accept(null)
  const rejected = [
    await accept(elsewhere.id),
    await accept(hidden.id),
    await accept(elsewhere.id, discussion),
    await accept(reply.id, question, await acme.person('member')),
  ]
  const byManager = await accept(reply.id, question, manager)
  const discussed = await member.patch(question.url, { kind: 'discussion' })

  assert.equal(accepted.body.accepted_reply_id, reply.id)
  assert.deepEqual(
    replies.map(({ is_accepted }: { is_accepted: boolean }) => is_accepted),
    [true],
  )
  assert.equal(cleared.body.accepted_reply_id, null)
  assert.deepEqual(statusesOf(rejected), [422, 422, 409, 403])
  assert.deepEqual([byManager.status, discussed.body.accepted_reply_id], [200, null])
})

test('a deleted thread can be restored by a moderator for 30 days', async () => {
  const [thread, old] = [await createThread(room.id), await createThread(room.id)]
  await createReply(thread)
  for (const { url } of [thread, old]) assert.equal((await manager.delete(url)).status, 204)

  const byMember = await member.post(`${thread.url}/restore`)
  const restored = await manager.post(`${thread.url}/restore`)
  const again = await manager.post(`${thread.url}/restore`)
  await acme.sql(`update community.threads set deleted_at = deleted_at - interval '31 days' where id = $1`, [old.id])
  const tooLate = await manager.post(`${old.url}/restore`)

  assert.deepEqual(statusesOf([byMember, restored, again, tooLate]), [404, 200, 404, 404])
  assert.deepEqual([restored.body.deleted_at, restored.body.reply_count], [null, 1])
  assert.equal((await member.get(thread.url)).status, 200)
})

test('engagement-2-12 other workspaces and viewers cannot moderate the threads of a workspace', async () => {
  const other = await tenant()
  const thread = await createThread(room.id, { kind: 'question' })
  const reply = await createReply(thread)
  const wrong = await createThread(room.id)
  const wrongUrl = `${wrong.url}/replies/${reply.id}`
  const { body: report } = await member.post(`${thread.url}/report`, { reason: 'spam' })
  const calls = (user: typeof member) => [
    user.patch(thread.url, { title: 'Mine now' }),
    user.patch(reply.url, { body: 'Mine now' }),
    user.put(`${thread.url}/answer`, { reply_id: reply.id }),
    user.post(`${thread.url}/restore`),
    user.post(`${reply.url}/restore`),
    user.post(`${thread.url}/report`, { reason: 'spam' }),
    user.patch(`/api/community/reports/${report.id}`, { resolution: 'kept' }),
    user.put(`/api/community/rooms/${room.id}/settings`, { public_read: true }),
  ]

  const byOther = await Promise.all(calls(other.admin))
  const byViewer = await Promise.all(calls(viewer))
  const underOtherThread = await Promise.all([
    manager.patch(wrongUrl, { hidden: true }),
    manager.post(`${wrongUrl}/restore`),
  ])
  const moved = await other.admin.get(`/api/community/reports?room_id=${room.id}`)
  const foreignRoom = await manager.patch(thread.url, {
    room_id: (await other.manager.post('/api/enablement/rooms/', { name: 'x', room_type: 'community' })).body.id,
  })

  assert.deepEqual(statusesOf(byOther), Array(8).fill(404))
  assert.deepEqual(statusesOf(byViewer), Array(8).fill(403))
  assert.deepEqual(statusesOf(underOtherThread), [404, 404])
  assert.deepEqual(moved.body.items, [])
  assert.deepEqual([foreignRoom.status, foreignRoom.body.code], [422, 'unknown_reference'])
  assert.equal((await acme.anonymous.get(publicRoomUrl(room.id))).status, 404)
  assert.deepEqual([(await read(thread.url)).title, (await read(thread.url)).version], [thread.title, thread.version])
})

test('moderators hide, delete, restore, lock, pin and move posts of a closed room, whose texts stay as they are', async () => {
  const [closed, open] = [await createRoom(), await createRoom()]
  const thread = await createThread(closed.id)
  const reply = await createReply(thread)
  const { body: report } = await asker.post(`${thread.url}/report`, { reply_id: reply.id, reason: 'spam' })
  await manager.patch(`${roomsUrl}${closed.id}`, { status: 'closed' })

  const moderated = [
    await manager.patch(`/api/community/reports/${report.id}`, { resolution: 'hidden' }),
    await manager.patch(reply.url, { hidden: false }),
    await manager.delete(reply.url),
    await manager.post(`${reply.url}/restore`),
    await manager.patch(thread.url, { locked: true, hidden: true }),
    await manager.patch(`${thread.url}/pin`, { pinned: true }),
    await manager.delete(thread.url),
    await manager.post(`${thread.url}/restore`),
  ]
  const { can } = await read(thread.url)
  const written = [
    await manager.patch(thread.url, { title: 'Another title', hidden: false }),
    await manager.patch(reply.url, { body: 'Another text' }),
    await manager.post(`${thread.url}/replies`, { body: 'Another reply' }),
    await member.patch(thread.url, { title: 'Another title' }),
    await member.delete(reply.url),
  ]
  const moved = await manager.patch(thread.url, { room_id: open.id })

  assert.deepEqual(statusesOf(moderated), [200, 200, 204, 200, 200, 200, 204, 200])
  assert.deepEqual(can, { edit: false, delete: true, pin: true, moderate: true })
  assert.deepEqual(statusesOf(written), Array(5).fill(409))
  assert.deepEqual([moved.status, moved.body.room_id], [200, open.id])
})

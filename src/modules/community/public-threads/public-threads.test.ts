import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { publicRoomUrl, publicThreadUrl, roomsUrl, startCommunityApp } from '../community.fixture.ts'

const { acme, createRoom, createThread, createReply, changeSettings } = await startCommunityApp()
const { manager, anonymous } = acme
const ann = await acme.person('member', { name: 'Ann Marie Lee' })

test('engagement-2-4 a room is public only while it is active and its threads are', async () => {
  const room = await createRoom({ name: 'Internal name', public_title: 'Help' })
  const thread = await createThread(room.id, { body: `Ask [@Ann](mention:${ann.userId})` }, ann)
  const reply = await createReply(thread, { body: 'Done' }, ann)
  const [listUrl, url] = [publicRoomUrl(room.id), publicThreadUrl(thread.id)]
  const statuses = async () => [(await anonymous.get(listUrl)).status, (await anonymous.get(url)).status]
  const isPublic = (public_read: boolean) => changeSettings(room.id, { public_read })

  const whilePrivate = await statuses()
  await isPublic(true)
  const [list, details] = [await anonymous.get(listUrl), await anonymous.get(url)]
  await isPublic(false)
  const privateAgain = await statuses()
  await isPublic(true)
  await manager.patch(`${roomsUrl}${room.id}`, { status: 'closed' })

  assert.deepEqual(
    [whilePrivate, privateAgain, await statuses()],
    [
      [404, 404],
      [404, 404],
      [404, 404],
    ],
  )
  assert.deepEqual([list.status, details.status], [200, 200])
  const { id, kind, title, is_pinned, is_locked, created_at, last_activity_at } = {
    ...thread,
    ...(await reloaded(thread)),
  }
  const summary = {
    id,
    kind,
    title,
    is_pinned,
    is_locked,
    created_at,
    last_activity_at,
    author_name: 'Ann',
    reply_count: 1,
  }
  assert.deepEqual(list.body, {
    items: [summary],
    total: 1,
    total_relation: 'eq',
    limit: 50,
    offset: 0,
    next_cursor: null,
    room: { name: 'Help' },
  })
  assert.deepEqual(details.body, {
    thread: { ...summary, body_html: '<p>Ask @Ann</p>\n' },
    replies: {
      items: [
        {
          reply_no: 1,
          body_html: '<p>Done</p>\n',
          author_name: 'Ann',
          is_accepted: false,
          created_at: reply.created_at,
        },
      ],
      total: 1,
      limit: 50,
      offset: 0,
    },
  })
  for (const { text } of [list, details])
    for (const secret of [ann.userId, ann.email, 'Lee', room.id, 'Internal name', reply.id])
      assert.ok(!text.includes(secret), secret)
})

const reloaded = async ({ url }: { url: string }) => (await manager.get(url)).body

test('public pages can be cached for 30 seconds and are hidden from search engines if they are not found', async () => {
  const room = await createRoom()
  const thread = await createThread(room.id)
  await changeSettings(room.id, { public_read: true })

  for (const url of [publicRoomUrl(room.id), publicThreadUrl(thread.id)]) {
    const found = await anonymous.get(url)
    const tag = found.headers.etag as string
    const unchanged = await anonymous.with({ headers: { 'if-none-match': `"x", ${tag}` } }).get(url)
    await createReply(thread)
    const changed = await anonymous.with({ headers: { 'if-none-match': tag } }).get(url)

    assert.deepEqual([found.status, found.headers['cache-control']], [200, 'public, max-age=30'])
    assert.equal(found.headers['x-robots-tag'], undefined)
    assert.deepEqual([unchanged.status, unchanged.text, unchanged.headers.etag], [304, '', tag])
    assert.equal(changed.status, 200)
  }
  for (const url of [publicRoomUrl(newId()), publicThreadUrl(newId())]) {
    const missing = await anonymous.get(url)
    assert.deepEqual([missing.status, missing.headers['x-robots-tag']], [404, 'noindex'])
    assert.equal(missing.headers['cache-control'], 'no-store')
  }
})

test('every thread and room that is not public is the same 404', async () => {
  const [deal, draft, closed, deleted, open] = [
    await createRoom({ room_type: 'general', status: 'draft' }),
    await createRoom({ status: 'draft' }),
    await createRoom({}),
    await createRoom({}),
    await createRoom({}),
  ]
  const rooms = [deal, draft, closed, deleted]
  for (const { id } of rooms) await changeSettings(id, { public_read: true })
  await changeSettings(open.id, { public_read: true })
  const threads = []
  for (const { id } of rooms.slice(1)) threads.push(await createThread(id, {}, manager))
  const [hidden, removed] = [await createThread(open.id), await createThread(open.id)]
  await acme.sql('update community.threads set hidden_at = now() where id = $1', [hidden.id])
  await manager.delete(removed.url)
  await manager.patch(`${roomsUrl}${closed.id}`, { status: 'closed' })
  await manager.delete(`${roomsUrl}${deleted.id}`)
  const problemOf = async (url: string) => {
    const { status, body, headers } = await anonymous.get(url)
    return JSON.stringify([status, { ...body, request_id: '' }, headers['x-robots-tag']])
  }

  const ofRooms = await Promise.all([newId(), ...rooms.map(({ id }) => id)].map((id) => problemOf(publicRoomUrl(id))))
  const ofThreads = await Promise.all(
    [newId(), ...[...threads, hidden, removed].map(({ id }) => id)].map((id) => problemOf(publicThreadUrl(id))),
  )

  assert.deepEqual([new Set(ofRooms).size, new Set(ofThreads).size], [1, 1])
  assert.match(ofRooms[0]!, /^\[404/)
  assert.match(ofThreads[0]!, /^\[404/)
  const list = (await anonymous.get(publicRoomUrl(open.id))).body
  assert.deepEqual([list.items, list.total], [[], 0])
})

test('the room decides how authors are named, and replies are paged', async () => {
  const room = await createRoom()
  const thread = await createThread(room.id, { body: `[@Ann](mention:${ann.userId})` }, ann)
  for (let n = 0; n < 3; n++) await createReply(thread, {}, ann)
  const read = async (names: string) => {
    await changeSettings(room.id, { public_read: true, public_author_names: names })
    return (await anonymous.get(`${publicThreadUrl(thread.id)}?limit=1&offset=1`)).body
  }

  const [full, first, hidden] = [await read('full'), await read('first'), await read('hidden')]

  assert.deepEqual([full.thread.author_name, full.thread.body_html], ['Ann Marie Lee', '<p>@Ann</p>\n'])
  assert.deepEqual([first.thread.author_name, first.thread.body_html], ['Ann', '<p>@Ann</p>\n'])
  assert.deepEqual([hidden.thread.author_name, hidden.thread.body_html], ['Member', '<p>@Member</p>\n'])
  const { items, total, limit, offset } = first.replies
  assert.deepEqual([items.length, items[0].reply_no, total, limit, offset], [1, 2, 3, 1, 1])
})

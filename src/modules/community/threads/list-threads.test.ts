import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicRoomUrl, startCommunityApp, threadsUrl } from '../community.fixture.ts'

const { acme, createRoom, createThread, createReply, changeSettings } = await startCommunityApp()
const { member, manager, viewer, admin } = acme
const idsOf = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id)

test('the list of a room has pinned threads first, and pages neither repeat nor skip threads', async () => {
  const room = await createRoom()
  const threads: Awaited<ReturnType<typeof createThread>>[] = []
  for (let n = 0; n < 5; n++) threads.push(await createThread(room.id, { kind: n === 3 ? 'question' : 'discussion' }))
  await manager.patch(`${threads[1].url}/pin`)
  await createReply(threads[0])
  const expected = [1, 0, 4, 3, 2].map((n) => threads[n].id)
  const url = `${threadsUrl}?room_id=${room.id}`

  const byOffset = [...idsOf(await member.get(`${url}&limit=2`)), ...idsOf(await member.get(`${url}&limit=3&offset=2`))]
  const pages: string[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: { body: { items: { id: string }[]; next_cursor: string | null } } = await member.get(
      `${url}&limit=1${cursor && `&cursor=${cursor}`}`,
    )
    pages.push(idsOf(page))
    cursor = page.body.next_cursor
  }

  assert.deepEqual(byOffset, expected)
  assert.deepEqual(pages.flat(), expected)
  const acrossRooms = idsOf(await member.get(`${threadsUrl}?limit=5`))
  assert.deepEqual(
    acrossRooms,
    [0, 4, 3, 2, 1].map((n) => threads[n].id),
  )
  assert.deepEqual(idsOf(await member.get(`${url}&kind=question`)), [threads[3].id])
  assert.deepEqual(idsOf(await member.get(`${url}&unanswered=true`)), [threads[3].id])
  assert.deepEqual(idsOf(await member.get(`${url}&unanswered=false`)), [])
  assert.deepEqual(idsOf(await member.get(`${url}&author_id=${member.userId}`)), expected)
  assert.deepEqual(idsOf(await member.get(`${url}&author_id=${manager.userId}`)), [])
})

test('engagement-2-13 an empty room has an empty list, and parameters are checked on the private list only', async () => {
  const room = await createRoom()
  await changeSettings(room.id, { public_read: true })
  const url = `${threadsUrl}?room_id=${room.id}`

  assert.partialDeepStrictEqual((await member.get(url)).body, { items: [], total: 0, total_relation: 'eq' })
  for (const query of ['limit=201', 'offset=-1', 'color=red'])
    assert.equal((await member.get(`${url}&${query}`)).status, 422, query)
  const onPublic = await acme.anonymous.get(`${publicRoomUrl(room.id)}?utm_source=mail`)
  assert.deepEqual([onPublic.status, onPublic.body.items, onPublic.body.total], [200, [], 0])
  assert.equal((await acme.anonymous.get(`${publicRoomUrl(room.id)}?offset=10001`)).status, 422)
})

test('hidden threads are found by their author and by moderators only', async () => {
  const room = await createRoom({}, await acme.person('member'))
  const thread = await createThread(room.id)
  await acme.sql('update community.threads set hidden_at = now() where id = $1', [thread.id])
  const listOf = async (user: typeof member, query: string) =>
    idsOf(await user.get(`${threadsUrl}?room_id=${room.id}${query}`))

  assert.deepEqual([(await member.get(thread.url)).status, (await admin.get(thread.url)).status], [200, 200])
  assert.equal((await viewer.get(thread.url)).status, 404)
  assert.deepEqual(await listOf(member, ''), [])
  assert.deepEqual(await listOf(member, '&include_hidden=true'), [thread.id])
  assert.deepEqual(await listOf(viewer, '&include_hidden=true'), [])
  assert.deepEqual(await listOf(admin, '&include_hidden=true'), [thread.id])
  assert.ok(!idsOf(await viewer.get(`${threadsUrl}?include_hidden=true&limit=200`)).includes(thread.id))
  assert.ok(idsOf(await admin.get(`${threadsUrl}?include_hidden=true&limit=200`)).includes(thread.id))
})

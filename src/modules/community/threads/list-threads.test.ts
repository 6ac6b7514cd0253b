import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publicRoomUrl, startCommunityApp, threadsUrl } from '../community.fixture.ts'

const migration = new URL('../../../../migrations/0241_community_fold_stored_words.js', import.meta.url).href
const { acme, createRoom, createThread, createReply, changeSettings } = await startCommunityApp()
const { member, manager, viewer, admin } = acme
const search = async (words: string, query = '') =>
  idsOf(await member.get(`${threadsUrl}?search=${encodeURIComponent(words)}${query}`))
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

test('a search finds words with and without accents, in both directions', async () => {
  const room = await createRoom()
  const written = [
    'Zürich Straße',
    'zurich strasse',
    'SMØRREBRØD',
    'smorrebrod',
    'Łódź Œuvre',
    'lodz oeuvre',
    '김철수 मीना',
  ]
  const threads: { id: string }[] = []
  for (const title of written) threads.push(await createThread(room.id, { title }, manager))
  const reply = await createReply(await createThread(room.id, {}, manager), { body: 'Crème brûlée' })
  const found = async (words: string) =>
    (await search(words, `&room_id=${room.id}`)).map((id) => threads.findIndex((thread) => thread.id === id)).sort()

  for (const words of ['Zürich', 'zurich', 'ZÜRICH straße', 'strasse', '"zurich strasse"', 'züri'])
    assert.deepEqual(await found(words), [0, 1], words)
  for (const words of ['smørrebrød', 'SMORREBROD']) assert.deepEqual(await found(words), [2, 3], words)
  for (const words of ['Łódź', 'lodz œuvre']) assert.deepEqual(await found(words), [4, 5], words)
  for (const words of ['김철수', 'मीना']) assert.deepEqual(await found(words), [6], words)
  assert.deepEqual(await found('strasse -zürich'), [])
  assert.deepEqual(await search('creme brulee'), [reply.thread_id])
})

test('words of existing posts are folded by the migration, and other words stay as they are', async () => {
  const thread = await createThread((await createRoom()).id, { title: `O'Brien's Gänsefüßchen`, body: 'Back\\slash' })
  const read = async () =>
    (await acme.sql('select words from community.post_words where post_id = $1', [thread.id])).rows[0].words
  const folded = await read()
  await acme.sql(
    `update community.post_words set words = setweight(to_tsvector('simple', t.title), 'A') || setweight(to_tsvector('simple', t.body_text), 'B')
     from community.threads t where post_id = t.id and t.id = $1`,
    [thread.id],
  )
  const stored = await read()

  await acme.sql((await import(migration)).foldStoredWords)

  assert.notEqual(stored, folded)
  assert.equal(await read(), folded)
  assert.deepEqual(await search('gansefusschen'), [thread.id])
})

test('a search in one room is not limited by the matches in other rooms', async () => {
  const [busy, quiet] = [await createRoom(), await createRoom()]
  const [other, wanted] = [await createThread(busy.id), await createThread(quiet.id, { title: 'Quokka' }, manager)]
  const insertWords = `insert into community.post_words (tenant_id, post_id, thread_id, words)
    select $1, gen_random_uuid(), $2, 'quokka' from generate_series(1, $3)`
  await acme.sql('delete from community.post_words where post_id = $1', [wanted.id])
  await acme.sql(insertWords, [acme.id, other.id, 10_001])
  await acme.sql(insertWords, [acme.id, wanted.id, 1])

  assert.deepEqual(await search('quokka', `&room_id=${quiet.id}`), [wanted.id])
  assert.deepEqual(await search('quokka', `&author_id=${manager.userId}`), [wanted.id])
})

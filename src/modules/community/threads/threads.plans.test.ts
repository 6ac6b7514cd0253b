// Query plans of the lists of threads and replies, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { loadRows, startPlanDb, startQueryPlans } from '#testing'
import { listChangedThreadIds, listDrift } from '../maintenance/reconcile.queries.ts'
import { listFollowerIds, listReaderRows } from '../readers/thread-readers.queries.ts'
import { listReplyRows } from '../replies/replies.queries.ts'
import { listRoomStats } from '../rooms/room-stats.queries.ts'
import { findActiveSuspension } from '../suspensions/suspensions.queries.ts'
import { listThreadRows, type ThreadFilter } from './list-threads.queries.ts'
import { searchThreadRows } from './search-threads.queries.ts'

const { owner, database } = await startPlanDb()
const [acmeId, memberId] = [newId(), newId()]
const idOf = (prefix: string) => `'${prefix}0000000-0000-7000-8000-000000000000'`
const [roomId, threadId] = [idOf('a'), idOf('b')].map((id) => id.slice(1, -1)) as [string, string]
const insertPosts = (id: string) => `
    insert into enablement.rooms (tenant_id, id, name, room_type, status, owner_id, search_text)
    select '${id}', case n when 1 then ${idOf('a')}::uuid else gen_random_uuid() end, 'Room', 'community', 'active', '${memberId}', ''
    from generate_series(1, 3) n;
    insert into community.threads (tenant_id, id, room_id, author_id, kind, title, body, body_html, body_text, excerpt,
      renderer_version, is_pinned, last_activity_at, hidden_at)
    select '${id}', case n when 1 then ${idOf('b')}::uuid else gen_random_uuid() end, room.id, '${memberId}',
      (array['discussion', 'question'])[1 + n % 2], 'Thread ' || n, 'Text', '', '', '', 1, n < 5, now() - n * interval '1 minute',
      case when n % 500 = 7 then now() end
    from generate_series(1, 2000) n, (select id from enablement.rooms where tenant_id = '${id}') as room
    where n > 1 or room.id = ${idOf('a')}::uuid;
    insert into community.replies (tenant_id, id, thread_id, reply_no, author_id, body, body_html, body_text, renderer_version)
    select '${id}', gen_random_uuid(), ${idOf('b')}::uuid, n, '${memberId}', 'Text', '', '', 1 from generate_series(1, 3000) n;
    insert into community.thread_readers (tenant_id, thread_id, user_id, is_following, last_read_no)
    select '${id}', thread.id, reader.id, reader.n = 1, 0 from (select id from community.threads where tenant_id = '${id}' limit 1000) as thread,
      (select gen_random_uuid() as id, n from generate_series(1, 3) n) as reader;
    insert into community.post_words (tenant_id, post_id, thread_id, words)
    select tenant_id, id, id, setweight(to_tsvector('simple', title), 'A') from community.threads where tenant_id = '${id}'`
await loadRows(owner, async (client) => {
  for (const id of [newId(), acmeId]) await client.query(insertPosts(id))
})
const { planOf: collectPlan } = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => collectPlan(systemActor(acmeId), work)

const viewer = { userId: memberId, moderates: false }
const onlyVisible = { includesHidden: false, includesDeleted: false }
const list = (tx: TenantTx, filter: ThreadFilter, shown = onlyVisible, cursor?: string) =>
  listThreadRows(
    tx,
    filter,
    { viewer: { ...viewer, moderates: true }, shown, unreadableRoomIds: [] },
    {
      limit: 50,
      offset: 0,
      count: 'none',
      cursor,
    },
  )
const planOfList = (filter: ThreadFilter, shown = onlyVisible, cursor?: string) =>
  planOf((tx) => list(tx, filter, shown, cursor))

async function cursorOf(read: (tx: TenantTx) => Promise<Page<unknown>>): Promise<string> {
  let cursor: string | null = null
  await planOf(async (tx) => {
    cursor = (await read(tx)).next_cursor
  })
  return cursor!
}

const assertIndexScan = (plan: string, index: string) => {
  assert.match(plan, new RegExp(`->  Limit .*\\n\\s*->  Index Scan using ${index} `))
  assert.doesNotMatch(plan, /Seq Scan/)
}

test('the threads of a room and of all rooms are read from an index in their order, also behind a cursor', async () => {
  for (const [filter, index] of [
    [{ room_id: roomId }, 'threads_by_room'],
    [{}, 'threads_by_activity'],
    [{ kind: ['question'] }, 'threads_by_kind'],
    [{ unanswered: true }, 'threads_unanswered'],
  ] as const) {
    assertIndexScan(await planOfList(filter), index)
    const cursor = await cursorOf((tx) => list(tx, filter))
    const plan = await planOfList(filter, onlyVisible, cursor)
    assertIndexScan(plan, index)
    assert.match(plan, /Index Cond: .*ROW\(/)
  }
})

test('hidden and deleted threads have an index of their own', async () => {
  const plan = await planOfList({ room_id: roomId }, { includesHidden: true, includesDeleted: true })

  assert.match(plan, /Index Scan using threads_by_room /)
  assert.match(plan, /Index Scan using threads_concealed_by_room /)
  assert.doesNotMatch(plan, /Seq Scan/)
})

test('replies are read from an index in their order, also behind a cursor', async () => {
  const read = (tx: TenantTx, cursor?: string) =>
    listReplyRows(tx, { threadId, viewer, shown: onlyVisible }, { limit: 50, offset: 0, count: 'none', cursor })

  assertIndexScan(await planOf((tx) => read(tx)), 'replies_visible')
  const cursor = await cursorOf(read)
  const plan = await planOf((tx) => read(tx, cursor))
  assertIndexScan(plan, 'replies_visible')
  assert.match(plan, /Index Cond: .*ROW\(/)
})

test('statistics of rooms, changed threads, their counters and found threads are read from indexes', async () => {
  const since = new Date(Date.now() - 1_000)
  const access = { viewer, shown: onlyVisible, unreadableRoomIds: [] }
  const page = { limit: 50, offset: 0 }

  const stats = await planOf((tx) => listRoomStats(tx, [roomId]))
  const changed = await planOf((tx) => listChangedThreadIds(tx, since, threadId))
  const counters = await planOf((tx) => listDrift(tx, [threadId]))
  const found = await planOf((tx) => searchThreadRows(tx, 'thread 1999', {}, access, page))

  for (const plan of [stats, changed, counters, found]) assert.doesNotMatch(plan, /Seq Scan/)
  assert.match(stats, /using threads_by_room /)
  assert.match(counters, /using replies_visible /)
  assert.match(found, /Function Scan on search_threads/)
})

test('followers, followed threads and unread replies are read from indexes', async () => {
  const unread = await planOf((tx) => listReaderRows(tx, memberId, [threadId]))
  const followers = await planOf((tx) => listFollowerIds(tx, { threadId, after: memberId, limit: 100 }))
  const followed = await planOf((tx) => list(tx, { followerId: memberId }))
  const suspensions = await planOf((tx) => findActiveSuspension(tx, memberId))

  for (const plan of [unread, followers, followed, suspensions]) assert.doesNotMatch(plan, /Seq Scan/)
  assert.match(unread, /using replies_visible on replies.*\n.*Index Cond: .*reply_no > /)
  assert.match(
    unread,
    /Index Cond: .*thread_id = thread\.id\) AND \(user_id = |user_id = .* AND \(thread_id = thread\.id/,
  )
  assert.match(followers, /using thread_followers /)
  assert.match(followed, /using threads_followed /)
  assert.match(followed, /using threads_by_author /)
  assert.match(suspensions, /using suspensions_one_per_user /)
})

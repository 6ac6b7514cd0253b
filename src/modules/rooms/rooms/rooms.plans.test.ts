// Query plans of rooms, visits and collections, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type Loader, loadRows, startPlanDb, startQueryPlans } from '#testing'
import { listCollectionRows } from '../../library/collections/collections.queries.ts'
import { listDailyStats, listVisitorTotals, readVisitorTotals } from '../analytics/analytics.queries.ts'
import { readVisitTotals } from '../analytics/engagement.queries.ts'
import {
  listChangedRooms,
  listTenantsToRecount,
  recountItemCounts,
  recountLinkCounts,
} from '../analytics/recount-visits.queries.ts'
import { listLatestVisits } from '../home/home-rooms.queries.ts'
import { listRoomItemRows } from '../items/items.queries.ts'
import { listLinkRows } from '../links/links.queries.ts'
import { listRoomsByText } from '../search/search.queries.ts'
import { blankVisitors, findVisitorByEmail } from '../visit-records/visitors.queries.ts'
import { listRoomRows } from './list-rooms.queries.ts'

const { owner, database } = await startPlanDb()
const [acmeId, memberId, viewerId] = [newId(), newId(), newId()]
const insertRooms = (id: string) => `
    with rooms as (
      insert into enablement.rooms (tenant_id, id, name, status, owner_id, search_text, updated_at, engagement_score,
        last_external_visit_at, activated_at)
      select '${id}', gen_random_uuid(), 'Room ' || n, (array['active', 'draft', 'closed', 'archived'])[1 + n % 4],
        '${memberId}', 'room ' || n, now() - n * interval '1 minute', n % 100, now() - n * interval '1 hour', now()
      from generate_series(1, 3000) n returning id
    ), links as (
      insert into enablement.room_links (tenant_id, id, room_id, token_hash)
      select '${id}', gen_random_uuid(), id, sha256(id::text::bytea) from rooms returning id, room_id
    ), visitors as (
      insert into enablement.room_visitors (tenant_id, id, room_id, email, first_seen_at, last_seen_at)
      select '${id}', gen_random_uuid(), id, id || '@buyer.example', now(), now() from rooms returning id, room_id
    ), visits as (
      insert into enablement.room_visits (tenant_id, id, room_id, link_id, visitor_id, started_at, last_event_at, counted_at,
        device, updated_at)
      select '${id}', gen_random_uuid(), visitors.room_id, links.id, visitors.id, now() - n * interval '1 day', now(), now(),
        'desktop', now() - n * interval '1 day'
      from visitors join links using (room_id), generate_series(1, 3) n
    ), content as (
      insert into enablement.content_items (tenant_id, id, title, type) values ('${id}', gen_random_uuid(), 'Deck', 'document')
      returning id
    ), views as (
      insert into enablement.content_views (tenant_id, id, item_id, source, visitor_id, room_id, started_at, last_event_at, is_internal)
      select '${id}', gen_random_uuid(), content.id, 'room', visitors.id, visitors.room_id, now(), now(), false
      from content, visitors
    ), items as (
      insert into enablement.room_items (tenant_id, id, room_id, kind, body, position)
      select '${id}', gen_random_uuid(), id, 'text', 'Hello', n from rooms, generate_series(1, 2) n
    ), days as (
      insert into enablement.room_daily_stats (tenant_id, room_id, day, external_visits, external_visitors, seconds, item_views,
        downloads, internal_visits, internal_seconds, bot_visits)
      select '${id}', id, current_date - n, 1, 1, 1, 1, 1, 1, 1, 1 from rooms, generate_series(1, 5) n
    )
    insert into enablement.collections (tenant_id, id, name, owner_id, search_text)
    select '${id}', gen_random_uuid(), 'Collection ' || n, '${memberId}', 'collection ' || n
    from generate_series(1, 3000) n`
const insertAll = async (client: Loader) => {
  for (const id of [acmeId, newId()]) await client.query(insertRooms(id))
}
// The cost of two suitable indexes of visits differs only by their size.
await loadRows(owner, insertAll, { keepsIndexes: true })
const { rows } = await owner.query(
  `select id from enablement.rooms where tenant_id = $1 and status = 'active' limit 1`,
  [acmeId],
)
const roomId: string = rows[0].id
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acmeId), work)
const page = { limit: 50, offset: 0, count: 'none' } as const
const listBy = (sort: Parameters<typeof listRoomRows>[1]['sort'], filter: object = {}) =>
  planOf((tx) => listRoomRows(tx, { sort, ...page, ...filter }))

test('lists of rooms read their page from an index in its order', async () => {
  const expected = [
    [await listBy('-updated_at'), /Index (Only )?Scan Backward using rooms_by_status/],
    [await listBy('-updated_at', { status: ['closed'] }), /rooms_by_status/],
    [await listBy('name'), /Index (Only )?Scan using rooms_by_name/],
    [await listBy('-engagement_score'), /rooms_by_score/],
    [await listBy('-last_external_visit_at'), /rooms_by_last_visit/],
    [await listBy('-updated_at', { account_id: roomId }), /rooms_by_account/],
    [await listBy('-updated_at', { opportunity_id: roomId }), /rooms_by_opportunity/],
    [await listBy('-updated_at', { owner_id: memberId }), /rooms_by_(owner|status)/],
  ] as const
  for (const [plan, index] of expected) {
    assert.match(plan, index)
    assert.doesNotMatch(plan, /Seq Scan on rooms/)
  }
})

test('a search of rooms reads only the matching texts', async () => {
  const plan = await listBy('-updated_at', { search: 'room 2718' })

  assert.match(plan, /Bitmap Index Scan on rooms_by_text/)
  assert.doesNotMatch(plan, /Seq Scan on rooms/)
})

test('the search of all records ranks the matching rooms only', async () => {
  const plan = await planOf((tx) => listRoomsByText(tx, 'room 2718', 5))

  assert.match(plan, /Bitmap Index Scan on rooms_by_text/)
  assert.match(plan, /rooms_pkey.*(\n.*)?\n\s+Index Cond: .*id = ANY/)
  assert.doesNotMatch(plan, /Seq Scan on rooms/)
})

test('the home page reads the last visits of each room of the user', async () => {
  const plan = await planOf((tx) => listLatestVisits(tx, memberId, 6))

  assert.match(plan, /rooms_by_owner.*(\n.*)?\n\s+Index Cond: .*owner_id = /)
  assert.match(plan, /room_visits_(listed|by_room).*(\n.*)?\n\s+Index Cond: .*room_id = /)
  assert.match(plan, /content_views_by_visit.*(\n.*)?\n\s+Index Cond: .*visit_id = /)
  assert.doesNotMatch(plan, /Seq Scan/)
})

test('the list of collections is an index scan', async () => {
  const viewer = { userId: viewerId, isManager: false, teamIds: [] }
  const filter = { include_archived: false, ...page }

  const plan = await planOf((tx) => listCollectionRows(tx, viewer, filter))

  assert.match(plan, /Index Scan using collections_(by_name|name_unique)/)
  assert.doesNotMatch(plan, /Seq Scan on collections|Sort Key/)
})

test('parts, visits and statistics of a room are found by index', async () => {
  const range = { roomId, since: new Date(0), includesInternal: false }
  const expected = [
    [(tx: TenantTx) => listRoomItemRows(tx, roomId), /room_items_by_room/],
    [(tx: TenantTx) => listLinkRows(tx, roomId), /room_links_by_room/],
    [(tx: TenantTx) => listDailyStats(tx, range), /room_daily_stats_pkey/],
    [(tx: TenantTx) => readVisitTotals(tx, roomId, new Date(0)), /room_visits_by_room/],
    [(tx: TenantTx) => readVisitorTotals(tx, range), /room_visits_by_room/],
    [(tx: TenantTx) => listVisitorTotals(tx, range), /room_visits_by_room/],
    [(tx: TenantTx) => recountLinkCounts(tx, roomId), /room_visits_by_link/],
    [(tx: TenantTx) => recountItemCounts(tx, roomId), /room_items_by_room/],
    [
      (tx: TenantTx) => findVisitorByEmail(tx, roomId, { email: 'ann@buyer.example', isVerified: false }),
      /room_visitors_(claimed_once|by_room|by_email)/,
    ],
    [
      (tx: TenantTx) => blankVisitors(tx, { emailKeys: ['a@b.example'], contactIds: [roomId] }),
      /room_visitors_by_email/,
    ],
  ] as const
  for (const [work, index] of expected) {
    const plan = await planOf(work)
    assert.match(plan, index)
    assert.doesNotMatch(
      plan,
      /Seq Scan on (room_visits|room_visitors|room_links|room_items|room_daily_stats|content_views)/,
    )
  }
})

test('the recount finds changed visits by index', async () => {
  const changed = await planOf((tx) => listChangedRooms(tx, new Date()))
  const tenants = await plans.systemPlanOf((tx) => listTenantsToRecount(tx, new Date()))

  assert.match(changed, /room_visits_by_change/)
  assert.match(tenants, /room_visits_recent.*\n\s+Index Cond: .*updated_at >= /)
})

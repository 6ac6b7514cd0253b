// Query plans of content lists and searches, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { loadRows, startPlanDb, startQueryPlans } from '#testing'
import { listDailyCells } from '../analytics/analytics.queries.ts'
import { listTenantsWithExpiredItems } from '../schedules/schedules.queries.ts'
import { listTenantsToRecount } from '../views/recount-views.queries.ts'
import { findOpenViewId } from '../views/views.queries.ts'
import type { ContentViewer } from './content.rules.ts'
import { type ContentSort, type ItemFilter, listItemRows } from './list-content.queries.ts'
import { searchContent } from './search-content.queries.ts'

const { owner, database } = await startPlanDb()
const [acmeId, viewerId] = [newId(), newId()]
const insertItems = (id: string) => `
    with items as (
      insert into enablement.content_items (tenant_id, id, title, type, category, status, updated_at, next_review_at, expires_at)
      select '${id}', gen_random_uuid(), 'Item ' || n, 'document', 'c' || n % 50, 'published',
        now() - n * interval '1 minute', now() + n * interval '1 hour', now() + n * interval '1 day'
      from generate_series(1, 4000) n returning id, title
    ), texts as (
      insert into enablement.content_search_texts (tenant_id, item_id, title_text, tag_text, description_text, body_text)
      select '${id}', id, lower(title), '', '', 'word' || right(title, 2) from items
    )
    insert into enablement.content_item_stats (tenant_id, item_id, heat) select '${id}', id, random() from items`
const insertViews = `
   with viewed as (select id from enablement.content_items where tenant_id = $1 limit 100), views as (
     insert into enablement.content_views
       (tenant_id, id, item_id, source, user_id, started_at, last_event_at, is_internal, updated_at)
     select $1, gen_random_uuid(), id, 'library', $2, now(), now(), true, now() - n * interval '1 hour'
     from viewed, generate_series(1, 30) n
   )
   insert into enablement.content_daily_stats (tenant_id, item_id, day, audience)
   select $1, id, current_date - n, 'internal' from viewed, generate_series(1, 30) n`
await loadRows(owner, async (client) => {
  for (const id of [acmeId, newId()]) await client.query(insertItems(id))
  await client.query(insertViews, [acmeId, viewerId])
})
const { planOf: collectPlan, systemPlanOf } = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => collectPlan(systemActor(acmeId), work)
const viewer: ContentViewer = { userId: viewerId, isManager: false, teamIds: [] }
const listBy = (sort: ContentSort, filter: Partial<ItemFilter> = {}) =>
  planOf((tx) =>
    listItemRows(tx, viewer, { now: new Date(), ...filter }, { sort, limit: 50, offset: 0, count: 'none' }),
  )

test('lists read their page from an index in its order', async () => {
  assert.match(await listBy('-updated_at'), /Index Scan using content_items_by_change/)
  assert.match(await listBy('title'), /Index Scan using content_items_by_title/)
  assert.match(await listBy('next_review_at'), /Index Scan using content_items_by_review/)
  assert.match(await listBy('-updated_at', { category: 'c7' }), /content_items_by_category/)
  assert.match(await listBy('-heat'), /content_item_stats_by_heat/)
})

test('a search reads only the matching texts', async () => {
  const plan = await planOf((tx) => searchContent(tx, 'word42'))

  assert.match(plan, /Bitmap Index Scan on content_search_texts_by_word/)
  assert.doesNotMatch(plan, /Seq Scan on content_search_texts/)
})

test('schedules read changed views and expired items only', async () => {
  const views = await systemPlanOf((tx) => listTenantsToRecount(tx, new Date()))
  const items = await systemPlanOf((tx) => listTenantsWithExpiredItems(tx, new Date()))

  assert.match(views, /content_views_recent.*\n\s+Index Cond: .*updated_at > /)
  assert.match(items, /content_items_expired.*\n\s+Index Cond: .*expires_at <= /)
})

test('views and daily statistics are found by index', async () => {
  const open = { itemId: acmeId, versionNo: 1, userId: viewerId, after: new Date() }
  assert.match(await planOf((tx) => findOpenViewId(tx, open)), /content_views_by_user/)
  const range = { itemId: acmeId, from: new Date(), audience: 'all' } as const
  assert.match(await planOf((tx) => listDailyCells(tx, range)), /content_daily_stats_pkey/)
})

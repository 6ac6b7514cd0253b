import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { runTenantSchedule } from '#testing'
import { pdf } from '../../../platform/files/formats/sample-files.fixture.ts'
import { createItem, createPublishedItem, publishItem } from '../content/content.fixture.ts'
import { startContentApp } from '../files/files.fixture.ts'
import { recountViewsSchedule } from './recount-views.jobs.ts'

const { tenant, clock, services, db, systemDb, upload } = await startContentApp()
clock.freeze()
const url = '/api/enablement/content/'
const recount = () => runTenantSchedule({ db, systemDb }, recountViewsSchedule(services))

type Workspace = Awaited<ReturnType<typeof tenant>>
const openView = async ({ get }: Workspace['member'], id: string) => (await get(`${url}${id}`)).body.view_id

test('enablement-1-7 heartbeats are cumulative, belong to their user and end with the view', async () => {
  const acme = await tenant()
  const item = await createPublishedItem(acme)
  const id = await openView(acme.member, item.id)
  const beat = async (afterSeconds: number, active_seconds: number) => {
    clock.advance(afterSeconds)
    return await acme.member.patch(`${url}views/${id}`, { active_seconds })
  }

  const answers = [await beat(15, 15), await beat(600, 615), await beat(15, 630), await beat(1, 600)]
  const foreign = await acme.manager.patch(`${url}views/${id}`, { active_seconds: 700 })
  clock.advance(31 * 60)
  const later = { ...acme.member, ...(await acme.signIn(acme.member.userId)) }
  const late = await later.patch(`${url}views/${id}`, { active_seconds: 660 })

  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.active_seconds]),
    [
      [200, 15],
      [200, 105],
      [200, 120],
      [200, 120],
    ],
  )
  assert.equal(answers.at(-1)!.body.completed, true)
  assert.equal(foreign.status, 404)
  assert.deepEqual([late.status, late.body.code], [409, 'view_closed'])
  assert.notEqual(await openView(later, item.id), id)
})

test('parallel reads share one view, and only user sessions open one', async () => {
  const acme = await tenant()
  const item = await createPublishedItem(acme)
  const draft = await createItem(acme.member)
  const { body: key } = await acme.admin.post('/api/api-keys/', { name: 'Reader', scopes: ['content.read'] })

  const shared = await Promise.all(Array.from({ length: 5 }, () => openView(acme.viewer, item.id)))
  const others = [
    await acme.viewer.get(`${url}${item.id}?track=false`),
    await acme.viewer.get(`${url}${item.id}`, { 'sec-purpose': 'prefetch' }),
    await acme.member.get(`${url}${draft.id}`),
    await acme.bearer(`ApiKey ${key.key}`).get(`${url}${item.id}`),
  ]

  assert.equal(new Set(shared).size, 1)
  assert.deepEqual(
    others.map(({ status, body }) => [status, body.view_id]),
    Array.from({ length: 4 }, () => [200, null]),
  )
})

test('an impersonating admin opens no view', async () => {
  const acme = await tenant()
  const item = await createPublishedItem(acme)
  const { status, body: session } = await acme.admin.post(`/api/users/${acme.member.userId}/impersonate`, {
    reason: 'Support request',
  })
  assert.ok(status < 300, JSON.stringify(session))

  const read = await acme.bearer(`Bearer ${session.access_token}`).get(`${url}${item.id}`)

  assert.deepEqual([read.status, read.body.view_id], [200, null])
})

test('enablement-1-1 an uploaded item that was viewed twice in ten minutes has one view after the recount', async () => {
  const acme = await tenant()
  const item = await createItem(acme.member, { type: 'slide_deck', body: null })
  const uploaded = await upload(acme.member, item.id, { content: pdf, headers: { host: acme.host } })
  await publishItem(acme, item.id)

  const first = await openView(acme.viewer, item.id)
  clock.advance(9 * 60)
  const second = await openView(acme.viewer, item.id)
  await recount()
  const { body } = await acme.manager.get(`${url}${item.id}/analytics`)

  assert.equal(uploaded.status, 201)
  const { body: list } = await acme.viewer.get(url)
  assert.deepEqual([list.total, list.items[0].id, list.items[0].file.media_type], [1, item.id, 'application/pdf'])
  assert.ok(first)
  assert.equal(second, first)
  assert.partialDeepStrictEqual(body, { views: 1, measured_views: 0, unique_viewers: 1, average_seconds: null })
  assert.deepEqual(
    body.top_viewers.map(({ user }: { user: { id: string } }) => user.id),
    [acme.viewer.userId],
  )
})

type ViewRow = {
  at?: Date
  userId?: string
  visitorId?: string
  dealId?: string
  seconds?: number
  [column: string]: unknown
}

async function insertView({ id: tenantId, sql }: Workspace, itemId: string, row: ViewRow) {
  const { at = clock.now(), userId = null, visitorId = null, dealId = null, seconds = 0, ...more } = row
  const columns = ['tenant_id', 'id', 'item_id', 'source', 'user_id', 'visitor_id', 'opportunity_id', 'started_at']
  const values = [tenantId, newId(), itemId, visitorId ? 'room' : 'library', userId, visitorId, dealId, at]
  const all = {
    ...Object.fromEntries(columns.map((column, n) => [column, values[n]])),
    last_event_at: at,
    active_seconds: seconds,
    heartbeats: seconds ? 1 : 0,
    is_internal: !visitorId,
    ...more,
  }
  const names = Object.keys(all)
  await sql(
    `insert into enablement.content_views (${names.join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
    Object.values(all),
  )
}

test('the average uses measured views only, and recounting twice changes nothing', async () => {
  const acme = await tenant()
  const item = await createPublishedItem(acme)
  const { userId } = acme.viewer
  for (const seconds of [0, 30, 60, 90]) await insertView(acme, item.id, { userId, seconds, completed: seconds === 90 })
  await insertView(acme, item.id, { visitorId: newId(), seconds: 600, is_bot: true, is_internal: false })

  await recount()
  const first = await acme.manager.get(`${url}${item.id}/analytics`)
  await recount()
  const second = await acme.manager.get(`${url}${item.id}/analytics`)
  const external = await acme.manager.get(`${url}${item.id}/analytics?audience=external`)

  assert.partialDeepStrictEqual(first.body, {
    views: 4,
    measured_views: 3,
    average_seconds: 60,
    median_seconds: 60,
    completion_rate: 0.3333,
    unique_viewers: 1,
    views_28d: 4,
    heat: 4,
    decay: 'new',
    versions: [{ version_no: null, views: 4 }],
  })
  assert.deepEqual(second.body, first.body)
  assert.partialDeepStrictEqual(external.body, { views: 0, average_seconds: null, completion_rate: null })
})

test('views of today, 30 and 60 days ago have a heat of 1.75', async () => {
  const acme = await tenant()
  const item = await createPublishedItem(acme)
  for (const days of [0, 30, 60])
    await insertView(acme, item.id, {
      userId: acme.viewer.userId,
      at: new Date(clock.now().getTime() - days * 86_400_000),
    })

  await recount()

  const { body } = await acme.manager.get(`${url}${item.id}/analytics`)
  assert.partialDeepStrictEqual(body, { heat: 1.75, views_28d: 1, views_prev_28d: 1, views: 3, unique_viewers: 1 })
  const [hottest] = (await acme.viewer.get(`${url}?sort=-heat`)).body.items
  assert.deepEqual(hottest.stats, { views_28d: 1, unique_viewers: 1, heat: 1.75 })
})

test('a view that changes after the recount is counted again', async () => {
  const acme = await tenant()
  const item = await createPublishedItem(acme)
  const id = await openView(acme.member, item.id)
  await recount()

  clock.advance(20)
  await acme.member.patch(`${url}views/${id}`, { active_seconds: 20, progress: 1, page: 2 })
  await recount()

  const { body } = await acme.manager.get(`${url}${item.id}/analytics`)
  assert.partialDeepStrictEqual(body, { views: 1, average_seconds: 20, completion_rate: 1 })
  assert.deepEqual(body.page_dropoff, [
    { page: 1, reach_rate: 1, average_seconds: null },
    { page: 2, reach_rate: 1, average_seconds: null },
  ])
})

test('views of buyers influence deals until they are closed, at most 90 days before', async () => {
  const acme = await tenant()
  const item = await createPublishedItem(acme)
  const { body: account } = await acme.member.post('/api/accounts/', { name: 'Globex' })
  const now = clock.now()
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
  const deal = async (kind: string, closedDaysAgo: number | null) => {
    const { status, body } = await acme.member.post('/api/opportunities/', {
      name: kind,
      account_id: account.id,
      amount: { amount: '100.00', currency: 'EUR' },
      close_on: '2030-01-01',
    })
    assert.equal(status, 201, JSON.stringify(body))
    await acme.sql(
      `update crm.opportunities set kind = $2, created_at = $3, closed_at = $4, lost_reason = case when $2 = 'lost' then 'price' end
       where id = $1`,
      [body.id, kind, daysAgo(300), closedDaysAgo === null ? null : daysAgo(closedDaysAgo)],
    )
    return body.id as string
  }
  const view = async (dealId: string, viewDaysAgo: number, more: object = {}) =>
    insertView(acme, item.id, { visitorId: newId(), dealId, at: daysAgo(viewDaysAgo), seconds: 5, ...more })
  await view(await deal('won', 10), 20)
  await view(await deal('lost', 10), 20)
  await view(await deal('open', null), 5)
  await view(await deal('won', 10), 5)
  await view(await deal('won', 10), 101)
  await view(await deal('won', 10), 20, { active_seconds: 4 })
  await view(await deal('won', 10), 20, { is_internal: true })
  await view(await deal('won', 10), 20, { is_bot: true })

  const { body } = await acme.manager.get(`${url}${item.id}/analytics`)

  assert.partialDeepStrictEqual(body.influenced, {
    open: 1,
    won: 1,
    lost: 1,
    sample: 2,
    win_rate: 0.5,
    confidence: 'low',
  })
  assert.equal(Number(body.influenced.won_amount.amount), 100)
})

test('enablement-1-13 a search without matches is counted, and an empty workspace has zeros and nulls', async () => {
  const acme = await tenant()

  const answers = [await acme.member.get(`${url}?search=pricng`), await acme.viewer.get(`${url}?search=Pricng`)]
  const second = await acme.viewer.get(`${url}?search=pricng&offset=50`)
  const list = await acme.viewer.get(url)
  const item = await createPublishedItem(acme)
  const { status, body } = await acme.viewer.get(`${url}${item.id}/analytics`)

  assert.deepEqual(
    [...answers, second].map(({ body }) => body.total),
    [0, 0, 0],
  )
  const { rows } = await acme.sql(
    'select query_norm, count, last_user_id from enablement.content_search_misses where tenant_id = $1',
    [acme.id],
  )
  assert.deepEqual(rows, [{ query_norm: 'pricng', count: 2, last_user_id: acme.viewer.userId }])
  assert.deepEqual([list.body.total, list.body.items], [0, []])
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, {
    views: 0,
    unique_viewers: 0,
    average_seconds: null,
    median_seconds: null,
    completion_rate: null,
    heat: 0,
    influenced: { open: 0, won: 0, lost: 0, win_rate: null, wilson_low: null, sample: 0 },
    top_viewers: null,
  })
  const insights = await acme.viewer.get('/api/enablement/insights')
  assert.equal(insights.status, 200)
  assert.partialDeepStrictEqual(insights.body, {
    content_wins: [],
    coverage_gaps: [],
    search_gaps: [],
    adoption: { published: 1, used: 0, adoption_rate: 0 },
    rooms: { created: 0, trend_rate: null },
  })
  await acme.member.get(`${url}?search=pricng`)
  const { body: later } = await acme.viewer.get('/api/enablement/insights?days=30')
  assert.deepEqual(
    later.search_gaps.map(({ query, count }: { query: string; count: number }) => [query, count]),
    [['pricng', 3]],
  )
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { runTenantSchedule, startTestApp, waitUntil } from '#testing'
import { listInfluences } from '../../library/analytics/analytics.queries.ts'
import { toInfluenceWindow } from '../../library/analytics/analytics.rules.ts'
import { readInfluence } from '../../library/analytics/influence.service.ts'
import { createItem, createPublishedItem, publishItem } from '../../library/content/content.fixture.ts'
import { recountViewsSchedule } from '../../library/views/recount-views.jobs.ts'
import { createTeam } from '../../pitches/pitches.fixture.ts'
import { insightRecords, markChanged } from './insights.fixture.ts'
import { refreshInsightsSchedule } from './insights.jobs.ts'
import { refreshInsights } from './refresh-insights.service.ts'

const app = await startTestApp()
const { tenant, clock, services, db, startTestWorker } = app
await startTestWorker()

type Acme = Awaited<ReturnType<typeof tenant>>
const url = '/api/enablement/insights'
const dayMs = 86_400_000
const refresh = () => runTenantSchedule(app, refreshInsightsSchedule(services))
const { daysAgo, prepareDeals, insertView } = insightRecords(app)
const read = async (user: Acme['member'], query = '') => {
  const { status, body, text } = await user.get(`${url}${query}`)
  assert.equal(status, 200, text)
  return body
}

test('enablement-8-3 only views of buyers within 90 days before the close influence a deal', async () => {
  const acme = await tenant()
  const item = await createPublishedItem(acme)
  const addDeal = await prepareDeals(acme)
  const deals = []
  for (let index = 0; index < 6; index++) deals.push(await addDeal({ kind: index ? 'won' : 'lost', closed: 10 }))
  for (const id of deals) await insertView(acme, item.id, id, 20)
  const others = [await addDeal({ kind: 'won', closed: 10 }), await addDeal({ kind: 'lost', closed: 10 })]
  await insertView(acme, item.id, others[0]!, 20, { is_internal: true })
  await insertView(acme, item.id, others[0]!, 20, { is_bot: true })
  await insertView(acme, item.id, others[1]!, 20, { active_seconds: 4 })
  await insertView(acme, item.id, others[1]!, 101)
  await insertView(acme, item.id, others[0]!, 5)
  const won = { won: 5, lost: 1, win_rate: 0.8333, baseline_win_rate: 0.5, lift: 0.3333, confidence: 'low' }

  await refresh()
  const first = await read(acme.viewer)

  assert.equal(first.content_wins.length, 1)
  assert.partialDeepStrictEqual(first.content_wins[0], { item: { id: item.id, title: 'Pricing guide' }, ...won })
  assert.equal(first.content_wins[0].won_amount.amount, '500.00')
})

test('enablement-8-4 a view 91 days before the close does not influence the deal', async () => {
  const acme = await tenant()
  const [early, late] = [await createPublishedItem(acme), await createPublishedItem(acme)]
  const addDeal = await prepareDeals(acme)
  for (let index = 0; index < 5; index++) {
    const dealId = await addDeal({ kind: 'won', closed: 10 })
    await insertView(acme, early.id, dealId, 101)
    await insertView(acme, late.id, dealId, 99)
  }

  await refresh()

  const { content_wins: wins } = await read(acme.viewer)
  assert.deepEqual([wins.length, wins[0].item.id], [1, late.id])
})

test('enablement-8-5 a deal that is reopened and lost moves the counts with the next refresh', async () => {
  const acme = await tenant()
  const item = await createPublishedItem(acme)
  const addDeal = await prepareDeals(acme)
  const deals: string[] = []
  for (let index = 0; index < 6; index++) deals.push(await addDeal({ kind: 'won', closed: 10 }))
  for (const id of deals) await insertView(acme, item.id, id, 20)
  const countAfter = async (change?: string) => {
    if (change) await acme.sql(`update crm.opportunities set ${change}, updated_at = now() where id = $1`, [deals[5]])
    await markChanged(acme)
    await refresh()
    const { won, lost } = (await read(acme.viewer)).content_wins[0]
    return [won, lost]
  }

  assert.deepEqual(await countAfter(), [6, 0])
  const { rows } = await acme.sql('select closed_at from crm.opportunities where id = $1', [deals[5]])
  assert.deepEqual(await countAfter(`kind = 'open', closed_at = null`), [5, 0])
  const closedAt = rows[0].closed_at.toISOString()
  assert.deepEqual(await countAfter(`kind = 'lost', lost_reason = 'price', closed_at = '${closedAt}'`), [5, 1])
  assert.deepEqual(await countAfter('deleted_at = now()'), [5, 0])
})

test('changes of deals and content mark the workspace, and a refresh removes the marks', async () => {
  const acme = await tenant()
  const count = async () =>
    (await acme.sql('select count(*)::int from enablement.insight_marks where tenant_id = $1', [acme.id])).rows[0].count
  const addDeal = await prepareDeals(acme)
  await addDeal()
  await createPublishedItem(acme)
  await waitUntil(async () => (await count()) >= 2)

  await refresh()

  assert.equal(await count(), 0)
  const { as_of } = await read(acme.viewer)
  assert.ok(Math.abs(Date.parse(as_of) - clock.now().getTime()) < 120_000)
})

test('enablement-8-6 a gap is closed by published content', async () => {
  const acme = await tenant()
  const addDeal = await prepareDeals(acme)
  for (let index = 0; index < 3; index++) await addDeal()
  await markChanged(acme)
  await refresh()
  const before = await read(acme.viewer)
  await createPublishedItem(acme, { stages: ['negotiation'], industries: ['retail'] })
  await markChanged(acme)
  await refresh()

  const gap = { stage: 'negotiation', industry: 'retail', open_count: 3, items: 0, severity: 'high' }
  assert.partialDeepStrictEqual(before.coverage_gaps, [gap])
  assert.deepEqual((await read(acme.viewer)).coverage_gaps, [])
})

test('enablement-8-7 a search without results is a gap until content matches', async () => {
  const acme = await tenant()
  const search = () => acme.member.get('/api/enablement/content/?search=zero+trust')
  for (let index = 0; index < 3; index++) await search()
  await acme.member.get('/api/enablement/content/?search=once')
  const draft = await createItem(acme.manager, { title: 'Zero trust' })
  await markChanged(acme)
  await refresh()
  const { search_gaps: before } = await read(acme.member)
  await publishItem(acme, draft.id)
  await markChanged(acme)
  await refresh()

  assert.deepEqual(
    before.map(({ query, count }: { query: string; count: number }) => [query, count]),
    [['zero trust', 3]],
  )
  assert.deepEqual((await read(acme.member)).search_gaps, [])
})

test('enablement-8-8 names of owners are shown to managers and leads of their team', async () => {
  const acme = await tenant()
  const { lead, seller, colleague, teamId } = await createTeam(acme)
  const owners = [seller, acme.member]
  for (const owner of owners) {
    const item = await createPublishedItem(acme, { title: `Of ${owner.userId}`, owner_id: owner.userId })
    await acme.sql('update enablement.content_items set next_review_at = $2 where id = $1', [item.id, daysAgo(3)])
  }
  const secret = await createPublishedItem(acme, { title: 'Secret', audience_team_ids: [teamId] })
  await acme.sql('update enablement.content_items set next_review_at = $2 where id = $1', [secret.id, daysAgo(1)])
  await acme.sql('insert into enablement.insight_marks (tenant_id, id) values ($1, $2)', [acme.id, newId()])
  await refresh()
  const ownersOf = async (user: Acme['member']) =>
    (await read(user)).stale_content.flatMap(({ owner }: { owner: { id: string } | null }) => owner?.id ?? []).sort()
  const titlesOf = async (user: Acme['member']) =>
    (await read(user)).stale_content.map(({ item }: { item: { title: string } }) => item.title)

  assert.deepEqual(await ownersOf(acme.manager), [...owners, acme.manager].map(({ userId }) => userId).sort())
  assert.deepEqual(await ownersOf(lead), [seller.userId])
  assert.deepEqual(await ownersOf(colleague), [])
  assert.deepEqual(await ownersOf(acme.viewer), [])
  assert.deepEqual(await ownersOf(acme.member), [acme.member.userId])
  assert.equal((await titlesOf(colleague)).includes('Secret'), true)
  assert.equal((await titlesOf(acme.member)).includes('Secret'), false)
  const { usage_by_team, stale_content } = await read(acme.viewer)
  assert.deepEqual([usage_by_team[0].team, usage_by_team[0].members], [{ id: teamId, name: 'Sales' }, 3])
  assert.equal(stale_content[0].days_overdue, 3)
})

test('enablement-8-9 the number of days and the team are checked', async () => {
  const acme = await tenant()
  const statusOf = async (query: string) => (await acme.member.get(`${url}?${query}`)).status
  for (const query of ['days=5', 'days=366', `team_id=${newId()}`]) assert.equal(await statusOf(query), 422, query)
  assert.equal(await statusOf('days=7'), 200)
})

test('enablement-8-10 an empty workspace has empty blocks', async () => {
  const acme = await tenant()
  await markChanged(acme)
  await refresh()

  const stored = await read(acme.viewer)
  const calculated = await read(acme.viewer, '?days=30')

  for (const insights of [stored, calculated])
    assert.partialDeepStrictEqual(insights, {
      content_wins: [],
      coverage_gaps: [],
      search_gaps: [],
      stale_content: [],
      usage_by_team: [],
      adoption: { published: 0, used: 0, adoption_rate: null, active_sellers: 0, sellers: 3, rooms_created: 0 },
      rooms: { created: 0, previous: 0, trend_rate: null, external_visits: 0 },
      learning: { completed: 0, open: 0, overdue: 0, completion_rate: null, average_score: null },
      coaching: { sessions: 0, average_score: null, pass_rate: null },
      pitch: { submissions: 0, average_score: null, overdue: 0 },
      experts: { requests: 0, breach_rate: null, average_rating: null },
    })
})

test('enablement-8-11 amounts of several currencies are one sum in the base currency', async () => {
  const acme = await tenant()
  const addDeal = await prepareDeals(acme)
  await acme.admin.patch('/api/admin/settings', { crm: { currency_rates: { USD: '0.5' } } })
  await addDeal()
  await addDeal({ amount: '100.00', currency: 'USD' })
  await addDeal()
  const { rows } = await acme.sql(
    'select sum(amount_base_minor)::int as sum from crm.opportunities where tenant_id = $1',
    [acme.id],
  )

  const { coverage_gaps } = await read(acme.viewer, '?days=30')

  assert.equal(coverage_gaps[0].open_amount.currency, 'EUR')
  assert.equal(Math.round(Number(coverage_gaps[0].open_amount.amount) * 100), rows[0].sum)
  assert.notEqual(rows[0].sum, 30_000)
})

test('views, placements and teams count in the period and of the team', async () => {
  const acme = await tenant()
  const { seller, teamId } = await createTeam(acme)
  const item = await createPublishedItem(acme)
  await createPublishedItem(acme, { title: 'Unused' })
  await seller.get(`/api/enablement/content/${item.id}`)
  await acme.member.get(`/api/enablement/content/${item.id}`)
  await runTenantSchedule(app, recountViewsSchedule(services))

  const all = await read(acme.manager, '?days=30')
  const ofTeam = await read(acme.manager, `?days=30&team_id=${teamId}`)

  assert.partialDeepStrictEqual(all.adoption, {
    published: 2,
    used: 1,
    adoption_rate: 0.5,
    active_sellers: 2,
    sellers: 6,
  })
  assert.partialDeepStrictEqual(ofTeam.adoption, { active_sellers: 1, sellers: 3 })
  assert.partialDeepStrictEqual(all.usage_by_team, [{ members: 3, active_users: 1, views: 1, room_placements: 0 }])
  assert.equal(ofTeam.team_id, teamId)
})

test('the influences of a refresh are those that the analytics of the item show, for 100 random histories', async () => {
  const acme = await tenant()
  const item = await createPublishedItem(acme)
  const addDeal = await prepareDeals(acme)
  const random = (max: number) => Math.floor(Math.random() * max)
  const deals = []
  for (let index = 0; index < 20; index++)
    deals.push(await addDeal({ kind: random(2) ? 'won' : 'lost', closed: random(200), created: 100 + random(300) }))
  for (let history = 0; history < 5; history++) {
    for (const dealId of deals)
      await insertView(acme, item.id, dealId, random(320), {
        active_seconds: 3 + random(5),
        is_internal: random(4) === 0,
        is_bot: random(4) === 0,
      })
    await inTenant(db, systemActor(acme.id), (tx) => refreshInsights(tx, clock.now(), { batchSize: 3 }))
    const [stored, shown] = await inTenant(db, systemActor(acme.id), async (tx) => {
      const { rows } = await acme.sql('select opportunity_id from enablement.insight_influences where item_id = $1', [
        item.id,
      ])
      return [rows.length, await readInfluence(tx, item.id, clock.now())] as const
    })
    assert.equal(stored, shown.won + shown.lost)
  }
  const windows = [
    toInfluenceWindow(
      { id: deals[0]!, created_at: daysAgo(10), closed_at: null },
      { windowDays: 90, now: clock.now() },
    ),
  ]
  assert.deepEqual(windows[0]?.from, daysAgoOf(windows[0]!.to, 10))
  assert.ok(Array.isArray(await inTenant(db, systemActor(acme.id), (tx) => listInfluences(tx, windows))))
})

const daysAgoOf = (to: Date, days: number) => new Date(to.getTime() - days * dayMs)

test('content of other teams is in no block, and its readers do not learn its id', async () => {
  const acme = await tenant()
  const { seller, teamId } = await createTeam(acme)
  const secret = await createPublishedItem(acme, { title: 'Secret plan', audience_team_ids: [teamId] })
  await acme.sql('update enablement.content_items set next_review_at = $2 where id = $1', [secret.id, daysAgo(2)])
  const addDeal = await prepareDeals(acme)
  for (let index = 0; index < 5; index++)
    await insertView(acme, secret.id, await addDeal({ kind: 'won', closed: 3 }), 5)
  await markChanged(acme)
  await refresh()
  const [seen, hidden] = [await seller.get(url), await acme.member.get(url)]

  assert.equal(seen.body.content_wins[0].item.title, 'Secret plan')
  assert.deepEqual([hidden.body.content_wins, hidden.body.stale_content], [[], []])
  assert.ok(!hidden.text.includes(secret.id) && !hidden.text.includes('Secret'))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beforeAndAfterFold, startAnalyticsApp } from './analytics.fixture.ts'

const { tenant, addLeads, winDeal, fold, clock } = await startAnalyticsApp()
const march = 'from=2026-03-01&to=2026-03-31'
const withoutTime = ({ as_of: _, ...figures }: Record<string, unknown>) => figures
type Acme = Awaited<ReturnType<typeof tenant>>
const analyticsOf =
  (acme: Acme, query = march) =>
  async () =>
    (await acme.viewer.get(`/api/leads/analytics?${query}`)).body
const at = (time: string) => `2026-03-${time}Z`

test('the funnel counts leads that reached each stage', async () => {
  const acme = await tenant()
  const mql = { mql_at: at('03T09:00:00'), lifecycle_stage: 'mql' }
  const sql = { ...mql, sql_at: at('04T21:00:00'), lifecycle_stage: 'sql' }
  const opportunity = { ...sql, opportunity_at: at('12T09:00:00'), lifecycle_stage: 'opportunity' }
  await addLeads(acme, 120)
  await addLeads(acme, 7, { lifecycle_stage: 'subscriber' })
  await addLeads(acme, 40, mql)
  await addLeads(acme, 20, { ...sql, lifecycle_stage: 'lead' })
  await addLeads(acme, 15, opportunity)
  await addLeads(acme, 5, { ...opportunity, customer_at: at('22T09:00:00'), lifecycle_stage: 'customer' })

  const [unfolded, folded] = await beforeAndAfterFold(analyticsOf(acme), fold)

  assert.deepEqual(withoutTime(folded), withoutTime(unfolded))
  assert.deepEqual(
    unfolded.funnel.map(({ stage, ...step }: { stage: string }) => [stage, ...Object.values(step)]),
    [
      ['lead', 200, null, 1, 0],
      ['mql', 80, 0.4, 0.4, 1],
      ['sql', 40, 0.5, 0.2, 2.5],
      ['opportunity', 20, 0.5, 0.1, 10],
      ['customer', 5, 0.25, 0.025, 20],
    ],
  )
})

test('the SLA rate counts late and overdue leads but not pending ones: 6 of 9', async () => {
  const acme = await tenant()
  const created_on = clock.now().toISOString().slice(0, 10)
  const now = clock.now().getTime()
  const times = (due: number, answered?: number, assigned?: number) => ({
    created_on,
    created_at: new Date(now),
    sla_due_at: new Date(now + due * 1_000),
    first_responded_at: answered === undefined ? null : new Date(now + answered * 1_000),
    assigned_at: assigned === undefined ? null : new Date(now + assigned * 1_000),
  })
  await addLeads(acme, 4, times(600, 300, 100))
  await addLeads(acme, 2, times(600, 301, 400))
  await addLeads(acme, 2, times(600, 90_000))
  await addLeads(acme, 1, times(600))
  await addLeads(acme, 1, times(9_000))
  clock.advance(700)

  const [unfolded, folded] = await beforeAndAfterFold(analyticsOf(acme, ''), fold)

  assert.deepEqual(withoutTime(folded), withoutTime(unfolded))
  const { buckets, ...speed } = unfolded.speed_to_lead
  assert.deepEqual(speed, {
    leads: 10,
    responded: 8,
    within_sla: 6,
    breached: 3,
    pending: 1,
    within_sla_rate: 0.6667,
    from_created: { median_seconds: 300.5, p90_seconds: 90_000 },
    from_assigned: { median_seconds: 200, p90_seconds: 200 },
  })
  assert.deepEqual(
    buckets.map(({ leads }: { leads: number }) => leads),
    [4, 2, 0, 0, 0, 2, 2],
  )
})

test('a source with 80 leads, 4,000 spent and 10,000 won has an ROI of 1.5 and a cost per lead of 50.00', async () => {
  const acme = await tenant()
  const eur = (amount: string) => ({ amount, currency: 'EUR' })
  await acme.manager.put('/api/leads/sources/fair', {
    label: 'Fair',
    channel: 'event',
    spend: [
      { month: '2026-02', amount: eur('500') },
      { month: '2026-03', amount: eur('3000') },
      { month: '2026-04', amount: eur('1000') },
    ],
  })
  await acme.manager.put('/api/leads/sources/old', { label: 'Old', is_active: false })
  await acme.manager.put('/api/leads/sources/web', { label: 'Web' })
  const leads = await addLeads(acme, 80, { source: 'fair' })
  const [before] = await addLeads(acme, 1, { source: 'fair', created_on: '2026-02-28' })
  await addLeads(acme, 90)
  await winDeal(acme, leads[0]!, 6_000)
  await winDeal(acme, leads[1]!, 4_000)
  await winDeal(acme, before!, 77)
  const days = 'from=2026-03-01&to=2026-04-30'

  const list = (query: string) => async () => (await acme.viewer.get(`/api/leads/sources?${query}`)).body
  const [unfolded, folded] = await beforeAndAfterFold(list(days), fold)
  const ever = await list('include_inactive=true')()
  const analytics = await analyticsOf(acme, `${days}&source=fair`)()
  const own = await analyticsOf(acme, `${days}&owner_id=me`)()

  const fair = {
    key: 'fair',
    label: 'Fair',
    channel: 'event',
    is_active: true,
    leads: 80,
    open: 80,
    converted: 0,
    conversion_rate: 0,
    won_amount: eur('10000.00'),
    cost: eur('4000.00'),
    cost_per_lead: eur('50.00'),
    roi: 1.5,
  }
  assert.deepEqual(folded, unfolded)
  assert.deepEqual(unfolded, {
    items: [
      {
        key: 'web',
        label: 'Web',
        channel: 'other',
        is_active: true,
        leads: 90,
        open: 90,
        converted: 0,
        conversion_rate: 0,
        won_amount: eur('0.00'),
        cost: eur('0.00'),
        cost_per_lead: eur('0.00'),
        roi: null,
      },
      fair,
    ],
    total: 2,
  })
  assert.deepEqual(
    ever.items.map(({ key, leads, won_amount }: typeof fair) => [key, leads, won_amount.amount]),
    [
      ['web', 90, '0.00'],
      ['fair', 81, '10077.00'],
      ['old', 0, '0.00'],
    ],
  )
  assert.deepEqual(analytics.sources, [fair])
  assert.deepEqual(
    own.sources.map(({ cost, leads }: typeof fair) => [cost, leads]),
    [
      [null, 0],
      [null, 0],
      [null, 0],
    ],
  )
})

test('owner fairness of 10, 10, 10 and 30 leads covers active owners only', async () => {
  const acme = await tenant()
  const ownerIds = [acme.member, acme.manager, acme.admin, await acme.person('member')].map(({ userId }) => userId)
  const deactivated = await acme.person('member')
  for (const [index, owner_id] of ownerIds.entries())
    await addLeads(acme, index === 3 ? 30 : 10, { owner_id, score: index === 3 ? 0 : 50 })
  await addLeads(acme, 99, { owner_id: deactivated.userId })
  await addLeads(acme, 5)
  await acme.admin.patch(`/api/users/${deactivated.userId}`, { status: 'deactivated' })

  const [unfolded, folded] = await beforeAndAfterFold(analyticsOf(acme), fold)
  const alone = await analyticsOf(acme, `${march}&owner_id=${ownerIds[3]}`)()

  const { by_leads, by_score, owners } = unfolded.owner_fairness
  assert.deepEqual(withoutTime(folded), withoutTime(unfolded))
  assert.deepEqual(
    [by_leads, by_score],
    [
      { jain: 0.75, gini: 0.25 },
      { jain: 0.75, gini: 0.25 },
    ],
  )
  assert.deepEqual([owners.length, owners[0].owner.id, owners[0].share_rate], [4, ownerIds[3], 0.5])
  assert.deepEqual(alone.owner_fairness.by_leads, { jain: 1, gini: 0 })
  assert.equal(alone.speed_to_lead.leads, 30)
})

test('weeks of a trend start on Monday, and empty weeks are included', async () => {
  const acme = await tenant()
  const [one] = await addLeads(acme, 3, { created_on: '2026-03-04', score: 30, mql_at: at('05T00:00:00') })
  await addLeads(acme, 1, { created_on: '2026-03-08', score: 70, status: 'converted', converted_at: clock.now() })
  await addLeads(acme, 1, { created_on: '2026-03-23' })
  await winDeal(acme, one!, 120)
  const days = 'from=2026-03-03&to=2026-03-29'

  const [unfolded, folded] = await beforeAndAfterFold(analyticsOf(acme, days), fold)
  const months = await analyticsOf(acme, 'from=2025-12-31&to=2026-03-01&granularity=month')()
  const single = await analyticsOf(acme, 'from=2026-03-08&to=2026-03-08&granularity=day')()

  assert.deepEqual(withoutTime(folded), withoutTime(unfolded))
  type Bucket = Record<'bucket_on' | 'created' | 'mql' | 'converted' | 'average_score', unknown> & {
    won_amount: { amount: string }
  }
  const rows = (trend: Bucket[]) =>
    trend.map((row) => [row.bucket_on, row.created, row.mql, row.converted, row.won_amount.amount, row.average_score])
  assert.deepEqual(rows(unfolded.trend), [
    ['2026-03-02', 4, 3, 1, '120.00', 40],
    ['2026-03-09', 0, 0, 0, '0.00', null],
    ['2026-03-16', 0, 0, 0, '0.00', null],
    ['2026-03-23', 1, 0, 0, '0.00', 0],
  ])
  assert.deepEqual(
    months.trend.map(({ bucket_on }: Bucket) => bucket_on),
    ['2025-12-01', '2026-01-01', '2026-02-01', '2026-03-01'],
  )
  assert.deepEqual(rows(single.trend), [['2026-03-08', 1, 0, 1, '0.00', 70]])
})

test('invalid queries are rejected, and leads of other workspaces are not counted', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await addLeads(other, 3, { source: 'web', owner_id: other.member.userId })
  const errorOf = async (path: string) => {
    const { status, body } = await acme.viewer.get(`/api/leads/${path}`)
    return [status, body.errors?.[0]?.path]
  }

  assert.deepEqual(await errorOf('analytics?from=2026-03-02&to=2026-03-01'), [422, '/to'])
  assert.deepEqual(await errorOf('analytics?from=2024-01-01&to=2025-12-31'), [422, '/to'])
  assert.deepEqual(await errorOf('analytics?from=2024-01-01&to=2025-12-30'), [200, undefined])
  assert.deepEqual(await errorOf('analytics?from=2026-02-30'), [422, '/from'])
  assert.deepEqual(await errorOf('analytics?granularity=year'), [422, '/granularity'])
  assert.deepEqual(await errorOf('sources?from=2026-03-02&to=2026-03-01'), [422, '/to'])
  assert.deepEqual(await errorOf('sources?include_inactive=perhaps'), [422, '/include_inactive'])
  const seen = await analyticsOf(acme, `${march}&owner_id=${other.member.userId}`)()
  assert.deepEqual([seen.speed_to_lead.leads, seen.sources, seen.owner_fairness.owners], [0, [], []])
})

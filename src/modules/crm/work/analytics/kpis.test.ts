import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLater } from '#platform/clock'
import { beforeAndAfterFold, startAnalyticsApp } from './analytics.fixture.ts'

const { tenant, addLeads, fold, clock } = await startAnalyticsApp()
const dayAgo = (days: number) => daysLater(clock.now(), -days).toISOString().slice(0, 10)
const withoutTime = ({ as_of: _, ...figures }: Record<string, unknown>) => figures

test('crm-1-15 KPIs, sources and analytics of an empty workspace have zero counts and null rates', async () => {
  const acme = await tenant()

  const kpis = await acme.viewer.get('/api/leads/kpis')
  const sources = await acme.viewer.get('/api/leads/sources')
  const analytics = await acme.viewer.get('/api/leads/analytics')

  assert.deepEqual([kpis.status, sources.status, analytics.status], [200, 200, 200])
  const unchanged = { current: 0, previous: 0, change_rate: null }
  assert.deepEqual(withoutTime(kpis.body), {
    period_days: 30,
    total: 0,
    open: 0,
    unassigned: 0,
    awaiting_first_response: 0,
    sla_breached_open: 0,
    by_status: { new: 0, contacted: 0, working: 0, nurturing: 0, qualified: 0, unqualified: 0, converted: 0 },
    by_lifecycle_stage: { subscriber: 0, lead: 0, mql: 0, sql: 0, opportunity: 0, customer: 0, evangelist: 0 },
    by_grade: { A: 0, B: 0, C: 0 },
    average_score: null,
    created: unchanged,
    converted: unchanged,
    conversion_rate: null,
    median_first_response_seconds: null,
    previous_median_first_response_seconds: null,
    approximate: false,
    within_sla_rate: null,
  })
  assert.deepEqual(sources.body, { items: [], total: 0 })
  const {
    from: _,
    to: __,
    trend,
    ...figures
  } = withoutTime(analytics.body) as Record<string, unknown> & { trend: object[] }
  const noRates = { from_previous_rate: null, from_first_rate: null, median_days_from_created: null }
  const noTimes = { median_seconds: null, p90_seconds: null }
  assert.deepEqual(figures, {
    approximate: false,
    funnel: ['lead', 'mql', 'sql', 'opportunity', 'customer'].map((stage) => ({ stage, reached: 0, ...noRates })),
    sources: [],
    speed_to_lead: {
      leads: 0,
      responded: 0,
      within_sla: 0,
      breached: 0,
      pending: 0,
      within_sla_rate: null,
      from_created: noTimes,
      from_assigned: noTimes,
      buckets: ['5m', '15m', '1h', '4h', '24h', 'longer', 'none'].map((within) => ({ within, leads: 0 })),
    },
    owner_fairness: { by_leads: { jain: null, gini: null }, by_score: { jain: null, gini: null }, owners: [] },
  })
  const emptyBucket = {
    created: 0,
    mql: 0,
    converted: 0,
    won_amount: { amount: '0.00', currency: 'EUR' },
    average_score: null,
  }
  assert.ok(trend.length >= 13, '90 days have 13 or 14 weeks')
  for (const bucket of trend) assert.partialDeepStrictEqual(bucket, emptyBucket)
})

test('50 leads after 40 are a change of 0.25, before and after a fold', async () => {
  const acme = await tenant()
  await addLeads(acme, 40, { created_on: dayAgo(40) })
  await addLeads(acme, 45, { created_on: dayAgo(3), score: 10, grade: 'B' })
  await addLeads(acme, 5, { created_on: dayAgo(29), status: 'converted', converted_at: clock.now(), score: 99 })
  await addLeads(acme, 3, { created_on: dayAgo(60), deleted_at: clock.now() })

  const [unfolded, folded] = await beforeAndAfterFold(async () => (await acme.viewer.get('/api/leads/kpis')).body, fold)

  assert.deepEqual(withoutTime(folded), withoutTime(unfolded))
  assert.deepEqual(unfolded.created, { current: 50, previous: 40, change_rate: 0.25 })
  assert.deepEqual(unfolded.converted, { current: 5, previous: 0, change_rate: null })
  assert.deepEqual([unfolded.total, unfolded.open, unfolded.unassigned, unfolded.conversion_rate], [90, 85, 90, 0.1])
  assert.deepEqual(unfolded.by_grade, { A: 0, B: 45, C: 45 })
  assert.equal(unfolded.average_score, 10.5)
  assert.equal((await acme.viewer.get('/api/leads/kpis?period_days=3')).body.created.current, 0)
  assert.equal((await acme.viewer.get('/api/leads/kpis?period_days=4')).body.created.current, 45)
})

test('the median first response time is exact for even and odd numbers of leads', async () => {
  const acme = await tenant()
  const created = daysLater(clock.now(), -2)
  const respond = (seconds: number) =>
    addLeads(acme, 1, {
      created_on: dayAgo(2),
      created_at: created,
      first_responded_at: new Date(created.getTime() + seconds * 1_000),
    })
  const median = async () => (await acme.viewer.get('/api/leads/kpis')).body.median_first_response_seconds
  for (const seconds of [3, 1_000, 1_001, 90_000]) await respond(seconds)
  await addLeads(acme, 2, { created_on: dayAgo(2) })

  const even = await beforeAndAfterFold(median, fold)
  await respond(1_003)
  const odd = await beforeAndAfterFold(median, fold)
  await respond(2_000_000)
  await respond(2_000_001)
  await respond(2_000_002)
  const apart = await beforeAndAfterFold(median, fold)

  assert.deepEqual(even, [1_000.5, 1_000.5])
  assert.deepEqual(odd, [1_001, 1_001])
  assert.deepEqual(apart, [45_501.5, 45_501.5])
})

test('the median first response time of the period before is reported beside the current one', async () => {
  const acme = await tenant()
  const respond = (days: number, seconds: number) => {
    const created = daysLater(clock.now(), -days)
    const first_responded_at = new Date(created.getTime() + seconds * 1_000)
    return addLeads(acme, 1, { created_on: dayAgo(days), created_at: created, first_responded_at })
  }
  await respond(2, 60)
  await respond(12, 600)
  await respond(13, 900)

  const { body } = await acme.viewer.get('/api/leads/kpis?period_days=10')

  assert.equal(body.median_first_response_seconds, 60)
  assert.equal(body.previous_median_first_response_seconds, 750)
})

test('a lead counts as breached from its SLA deadline on, whether or not the breach is stored', async () => {
  const acme = await tenant()
  const owner_id = acme.member.userId
  const due = (seconds: number) => new Date(clock.now().getTime() + seconds * 1_000)
  await addLeads(acme, 2, { created_on: dayAgo(0), sla_due_at: due(-60), owner_id })
  await addLeads(acme, 1, { created_on: dayAgo(0), sla_due_at: due(-60), sla_breached_at: clock.now() })
  await addLeads(acme, 1, { created_on: dayAgo(0), sla_due_at: due(600) })
  await addLeads(acme, 1, {
    created_on: dayAgo(0),
    sla_due_at: due(-60),
    status: 'unqualified',
    disqualify_reason: 'other',
  })
  await addLeads(acme, 1, { created_on: dayAgo(0), sla_due_at: due(60), first_responded_at: clock.now() })
  const read = async (query = '') => (await acme.member.get(`/api/leads/kpis${query}`)).body

  const [unfolded, folded] = await beforeAndAfterFold(read, fold)
  const own = await read('?owner_id=me')
  clock.advance(601)
  const later = await read()

  assert.deepEqual(
    [unfolded.sla_breached_open, unfolded.within_sla_rate, unfolded.awaiting_first_response],
    [3, 0.2, 4],
  )
  assert.deepEqual(withoutTime(folded), withoutTime(unfolded))
  assert.deepEqual([own.total, own.sla_breached_open, own.unassigned], [2, 2, 0])
  assert.deepEqual([later.sla_breached_open, later.within_sla_rate], [4, 0.1667])
})

test('KPIs cover one workspace, and invalid queries are rejected', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await addLeads(other, 3, { created_on: dayAgo(1), owner_id: other.member.userId })

  const [unfolded, folded] = await beforeAndAfterFold(
    async () => (await acme.viewer.get('/api/leads/kpis')).body.total,
    fold,
  )

  assert.deepEqual([unfolded, folded], [0, 0])
  assert.equal((await acme.viewer.get(`/api/leads/kpis?owner_id=${other.member.userId}`)).body.total, 0)
  for (const query of ['period_days=0', 'period_days=366', 'owner_id=not-a-uuid', 'color=red'])
    assert.equal((await acme.viewer.get(`/api/leads/kpis?${query}`)).status, 422)
})

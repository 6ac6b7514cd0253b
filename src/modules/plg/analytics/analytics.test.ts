import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '#platform/calendar'
import { secondsLater } from '#platform/clock'
import {
  dashboardUrl,
  funnelsUrl,
  plgSettingsUrl,
  retentionUrl,
  sendEvents,
  startUsageApp,
  usageEvent,
} from '../plg.fixture.ts'
import { listPeriods, startOfPeriod } from '../usage-store/periods.rules.ts'

const { tenant, acme } = await startUsageApp()
const { manager, viewer } = acme

const today = new Date().toISOString().slice(0, 10)
/** Noon of a day in UTC, the time zone of the workspaces; today it is the time of the request. */
const noonOf = (day: string) => (day === today ? new Date().toISOString() : `${day}T12:00:00Z`)
const daysAgo = (days: number) => noonOf(addDays(today, -days))

test('engagement-3-9 a new workspace has zeros and nulls, and unknown parameters are rejected', async () => {
  const other = await tenant()
  const dashboard = await other.viewer.get(dashboardUrl)
  const funnel = await other.viewer.get(`${funnelsUrl}?steps=a,b`)
  const retention = await other.viewer.get(retentionUrl)

  assert.deepEqual([dashboard.status, funnel.status, retention.status], [200, 200, 200])
  assert.deepEqual(dashboard.body.active, {
    dau: 0,
    dau_average: 0,
    wau: 0,
    mau: 0,
    stickiness_rate: null,
    previous: { dau: 0, dau_average: 0, wau: 0, mau: 0, stickiness_rate: null },
  })
  assert.deepEqual(dashboard.body.events, { total: 0, complete_total: 0, previous_total: 0, change_rate: null })
  assert.deepEqual([dashboard.body.activation, dashboard.body.top_events], [null, []])
  assert.equal(dashboard.body.trend.length, 30)
  assert.equal(dashboard.body.data.last_event_at, null)
  assert.equal(funnel.body.total_conversion_rate, null)
  assert.ok(retention.body.cohorts.every(({ size, cells }: never) => size === 0 && (cells as []).length > 0))
  const rejected = ['dashboard?period=31d', 'retention?granularity=year', 'retention?granularity=week&periods=27']
  for (const path of rejected) assert.equal((await viewer.get(`/api/tenant/plg/${path}`)).status, 422, path)
})

test('stickiness is the share of active days of the people of the last 30 days', async () => {
  const other = await tenant()
  const active = [10, 10, 5, 5].flatMap((days, person) =>
    Array.from({ length: days }, (_, n) =>
      usageEvent({ user_ref: `user-${person}`, occurred_at: daysAgo(n * 2 + person) }),
    ),
  )
  await sendEvents(other.manager, ...active)

  const { active: numbers, trend } = (await other.viewer.get(dashboardUrl)).body

  assert.partialDeepStrictEqual(numbers, { mau: 4, stickiness_rate: 0.25, dau: 1, dau_average: 1 })
  assert.equal(
    trend.reduce((total: number, day: { active: number }) => total + day.active, 0),
    30,
  )
})

test('changes compare complete days, and today counts in the totals only', async () => {
  const other = await tenant()
  const days = [0, 0, 1, 2, 7, 8, 9, 14, 15]
  await sendEvents(
    other.manager,
    ...days.map((ago, n) => usageEvent({ user_ref: `user-${n}`, occurred_at: daysAgo(ago) })),
  )

  const { events, new_people, top_events, data, period } = (await other.viewer.get(`${dashboardUrl}?period=7d`)).body

  assert.deepEqual(events, { total: 4, complete_total: 3, previous_total: 3, change_rate: 0 })
  assert.deepEqual(new_people, { count: 4, complete_count: 3, previous_count: 3, change_rate: 0 })
  assert.deepEqual(top_events, [{ name: 'project_created', events: 4, people: 4, share_rate: 1 }])
  assert.equal(data.unlinked_people, 9)
  assert.deepEqual([period.bucket, period.timezone], ['day', 'UTC'])
})

test('engagement-3-6 growth and retention by week have the numbers of the worked example', async () => {
  const other = await tenant()
  const weeks = listPeriods(today, 'week', 4)
  const active = { a: [1, 2, 3, 4], b: [1, 3], c: [1, 2], d: [2, 3, 4], e: [3], f: [4] }
  await sendEvents(
    other.manager,
    ...Object.entries(active).flatMap(([user_ref, numbers]) =>
      numbers.map((week) => usageEvent({ user_ref, occurred_at: noonOf(weeks[week - 1]!.from) })),
    ),
  )

  const { growth } = (await other.viewer.get(`${dashboardUrl}?period=30d`)).body
  const { cohorts, average } = (await other.viewer.get(`${retentionUrl}?granularity=week&periods=4`)).body

  const fields = ['active', 'new', 'retained', 'resurrected', 'churned', 'quick_ratio', 'complete']
  assert.deepEqual(
    growth.slice(-4).map((bucket: Record<string, unknown>) => fields.map((field) => bucket[field])),
    [
      [3, 3, 0, 0, 0, null, true],
      [3, 1, 2, 0, 1, 1, true],
      [4, 1, 2, 1, 1, 2, true],
      [3, 1, 2, 0, null, null, false],
    ],
  )
  assert.equal(growth.at(-1).bucket_start_on, startOfPeriod(today, 'week'))
  assert.deepEqual(
    cohorts.map(({ size, cells }: { size: number; cells: Record<string, unknown>[] }) => [
      size,
      cells.map(({ count, complete }) => (complete ? count : `${count}*`)),
    ]),
    [
      [3, [3, 2, 2, '1*']],
      [1, [1, 1, '1*']],
      [1, [1, '0*']],
      [1, ['1*']],
    ],
  )
  assert.deepEqual(
    average.map(({ rate }: { rate: number | null }) => rate && Math.round(rate * 10_000) / 10_000),
    [1, 0.75, 0.6667, null],
  )
})

test('engagement-3-7 a late event moves a person to an earlier cohort, and the sizes still add up', async () => {
  const other = await tenant()
  await sendEvents(other.manager, usageEvent({ user_ref: 'early' }), usageEvent({ user_ref: 'other' }))
  const sizes = async () =>
    (await other.viewer.get(`${retentionUrl}?granularity=day&periods=10`)).body.cohorts.map(
      ({ size }: { size: number }) => size,
    )
  const before = await sizes()
  await sendEvents(other.manager, usageEvent({ user_ref: 'early', occurred_at: daysAgo(6) }))

  assert.deepEqual(before, [0, 0, 0, 0, 0, 0, 0, 0, 0, 2])
  assert.deepEqual(await sizes(), [0, 0, 0, 1, 0, 0, 0, 0, 0, 1])
})

test('engagement-3-8 a funnel follows its steps, and invalid steps are rejected', async () => {
  const other = await tenant()
  const at = (hours: number) => secondsLater(new Date(), hours * 3_600).toISOString()
  const same = at(-1)
  await sendEvents(
    other.manager,
    usageEvent({ user_ref: 'p1', name: 'signed_up', occurred_at: at(-50) }),
    usageEvent({ user_ref: 'p1', name: 'project_created', occurred_at: at(-49) }),
    usageEvent({ user_ref: 'p2', name: 'signed_up', occurred_at: at(-30) }),
    usageEvent({ user_ref: 'p3', name: 'x', occurred_at: same }),
    usageEvent({ user_ref: 'p3', name: 'x', occurred_at: same }),
    usageEvent({ user_ref: 'p4', name: 'x', occurred_at: same }),
  )
  const read = (query: string) => other.viewer.get(`${funnelsUrl}?${query}`)

  const { steps, total_conversion_rate } = (await read('steps=signed_up,%20project_created,never&window_days=2')).body
  const repeated = (await read('steps=x,x')).body.steps

  const fields = ['count', 'known', 'step_rate', 'total_rate', 'dropped', 'in_progress', 'median_seconds_from_start']
  assert.deepEqual(
    steps.map((step: Record<string, unknown>) => fields.map((field) => step[field])),
    [
      [2, true, 1, 1, 0, 1, null],
      [1, true, 0.5, 0.5, 1, 0, steps[1].median_seconds_from_previous],
      [0, false, 0, 0, 1, 0, null],
    ],
  )
  assert.ok(Math.abs(steps[1].median_seconds_from_start - 3_600) < 1)
  assert.equal(total_conversion_rate, 0)
  assert.deepEqual(
    repeated.map(({ count }: { count: number }) => count),
    [2, 1],
  )
  for (const query of ['', 'steps=a', 'steps=a,,b', `steps=${'a,'.repeat(10)}a`, 'steps=a,b&days=0'])
    assert.equal((await read(query)).status, 422, query)
})

test('activation is shown if it is configured', async () => {
  const other = await tenant()
  const activation = { events: ['project_created'], within_days: 2 }
  assert.equal((await other.manager.put(plgSettingsUrl, { activation })).status, 200)
  await sendEvents(
    other.manager,
    usageEvent({ user_ref: 'p1', occurred_at: daysAgo(6) }),
    usageEvent({ user_ref: 'p2', name: 'other', occurred_at: daysAgo(6) }),
    usageEvent({ user_ref: 'p3', name: 'other', occurred_at: daysAgo(2) }),
  )

  assert.deepEqual((await other.viewer.get(dashboardUrl)).body.activation, {
    eligible: 2,
    activated: 1,
    pending: 1,
    activation_rate: 0.5,
    median_days: 0,
  })
})

test('numbers can be read for accounts, and the return event of a cohort can be chosen', async () => {
  const other = await tenant()
  await sendEvents(
    other.manager,
    usageEvent({ account_ref: 'team-1', name: 'a', occurred_at: daysAgo(1) }),
    usageEvent({ account_ref: 'team-1', name: 'b' }),
    usageEvent({ account_ref: 'team-2', name: 'a', user_ref: undefined }),
  )
  const cellsOf = async (query: string) =>
    (await other.viewer.get(`${retentionUrl}?granularity=day&periods=2&${query}`)).body.cohorts.map(
      ({ size, cells }: { size: number; cells: { count: number }[] }) => [size, cells.map(({ count }) => count)],
    )

  assert.deepEqual(await cellsOf('actor=account'), [
    [1, [1, 1]],
    [1, [1]],
  ])
  assert.deepEqual(await cellsOf('actor=account&event=b'), [
    [1, [0, 1]],
    [1, [0]],
  ])
  assert.deepEqual((await other.viewer.get(dashboardUrl)).body.active_accounts, { wau: 2, mau: 2 })
  assert.equal((await other.viewer.get(`${funnelsUrl}?steps=a,b&actor=account`)).body.steps[1].count, 1)
})

test('numbers require the scope plg.read', async () => {
  const { body } = await acme.admin.post('/api/api-keys', { name: 'Events only', scopes: ['plg.write'] })
  const key = acme.bearer(`Bearer ${body.key}`)

  for (const url of [dashboardUrl, `${funnelsUrl}?steps=a,b`, retentionUrl])
    assert.equal((await key.get(url)).status, 403)
  assert.equal((await manager.get(dashboardUrl)).status, 200)
})

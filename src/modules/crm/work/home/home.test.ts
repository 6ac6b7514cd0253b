import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { dayFromNow, euros, newAccount, newDeal } from '../../deals/opportunities/opportunities.fixture.ts'
import { type Acme, createLeadWith } from '../../people/leads/leads.fixture.ts'

const { tenant, clock } = await startTestApp()
const home = '/api/home'
const idsOf = (items: { id: string }[]) => items.map(({ id }) => id)

const own = (acme: Acme) => ({ owner_id: acme.member.userId })
const minutesFromNow = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000).toISOString()

test('a seller sees new leads without a first response, the earliest deadline first', async () => {
  const acme = await tenant()
  const lead = (minutes: number | null, more: object = own(acme)) =>
    createLeadWith(acme, more, { sla_due_at: minutes === null ? null : minutesFromNow(minutes) })
  const later = await lead(30)
  const late = await lead(-30)
  const without = await lead(null)
  await lead(-60, { owner_id: acme.manager.userId })
  await lead(-60, { ...own(acme), status: 'working' })
  await createLeadWith(acme, own(acme), { first_responded_at: clock.now() })
  const deleted = await lead(-90)
  await acme.manager.delete(`/api/leads/${deleted.id}`)

  const { status, body } = await acme.member.get(home)

  assert.equal(status, 200)
  assert.deepEqual(idsOf(body.leads.items), [late.id, later.id, without.id])
  assert.partialDeepStrictEqual(body.leads, { awaiting_first_response: 3, breached: 2, open: 5 })
  assert.deepEqual(Object.keys(body.leads.items[0]).sort(), summaryFields)
  assert.partialDeepStrictEqual(body.leads.items[0], { sla_status: 'breached', owner: { id: acme.member.userId } })
})

const summaryFields =
  'company created_at custom email first_responded_at grade id last_activity_at lifecycle_stage name owner phone score sla_due_at sla_status source status tags title version'.split(
    ' ',
  )

test('the medians of the first response cover the last 30 days and the 30 days before, as in the KPIs', async () => {
  const acme = await tenant()
  const answered = async (daysAgo: number, seconds: number, more: object = own(acme)) => {
    const created_at = new Date(clock.now().getTime() - daysAgo * 86_400_000)
    const first_responded_at = new Date(created_at.getTime() + seconds * 1_000)
    await createLeadWith(acme, more, { created_at, created_on: dayFromNow(-daysAgo, clock.now()), first_responded_at })
  }
  await answered(1, 100)
  await answered(2, 300)
  await answered(35, 1_000)
  await answered(3, 9_000, { owner_id: acme.manager.userId })

  const { leads } = (await acme.member.get(home)).body
  const kpis = (await acme.member.get('/api/leads/kpis?period_days=30&owner_id=me')).body

  assert.equal(leads.median_first_response_seconds, 200)
  assert.equal(leads.previous_median_first_response_seconds, 1_000)
  assert.equal(leads.median_first_response_seconds, kpis.median_first_response_seconds)
  assert.deepEqual([leads.open, leads.breached], [kpis.open, kpis.sla_breached_open])
})

test('tasks are counted by the day of the workspace and listed by due time', async () => {
  const acme = await tenant()
  await acme.admin.patch('/api/admin/settings', { general: { timezone: 'Pacific/Auckland' } })
  const { id } = await createLeadWith(acme, { last_name: 'Lovelace' })
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland' })
  const hours = Array.from({ length: 48 }, (_, hour) => new Date(clock.now().getTime() + (hour + 0.5) * 3_600_000))
  const tomorrow = hours.find((at) => day.format(at) !== day.format(clock.now()))!
  const task = async (due_at: string | null, assignee_id = acme.member.userId) =>
    (await acme.member.post(`/api/leads/${id}/activities`, { type: 'task', subject: 'Call', due_at, assignee_id })).body
  const [undated, next, late] = [await task(null), await task(tomorrow.toISOString()), await task(minutesFromNow(-5))]
  const today = await task(minutesFromNow(1))
  await task(minutesFromNow(-5), acme.manager.userId)
  const done = await task(minutesFromNow(-5))
  await acme.member.patch(`/api/leads/${id}/activities/${done.id}`, { completed_at: clock.now().toISOString() })

  const { tasks } = (await acme.member.get(home)).body

  const isToday = day.format(new Date(minutesFromNow(1))) === day.format(clock.now())
  assert.deepEqual([tasks.overdue, tasks.due_today], [1, isToday ? 1 : 0])
  assert.deepEqual(idsOf(tasks.items), [late.id, today.id, next.id, undated.id])
  assert.deepEqual(tasks.items[0].record, { type: 'lead', id, name: 'Lovelace' })
})

test('deals that close within 30 days or are overdue are listed and summed, with the forecast of the quarter', async () => {
  const acme = await tenant()
  await acme.admin.patch(`/api/users/${acme.member.userId}`, { quarterly_quota: euros('100000') })
  const account_id = await newAccount(acme, 'Globex')
  const deal = (days: number, amount: string, more: object = {}) =>
    newDeal(acme, { account_id, close_on: dayFromNow(days, clock.now()), amount: euros(amount), ...more })
  const soon = await deal(10, '100', { next_step: 'Send the offer' })
  const late = await deal(-3, '20', { forecast_category: 'commit' })
  await deal(45, '3000')
  await deal(5, '40000', { owner_id: acme.manager.userId })
  await deal(0, '500000', { stage_key: 'closed_won' })
  const { body: forecast } = await acme.member.get(`/api/opportunities/forecast?owner_id=${acme.member.userId}`)

  const { deals } = (await acme.member.get(home)).body

  assert.deepEqual(idsOf(deals.items), [late.id, soon.id])
  assert.partialDeepStrictEqual(deals.items[1], {
    name: 'Engines',
    account: { id: account_id, name: 'Globex' },
    stage_label: soon.stage_label,
    amount: euros('100.00'),
    is_overdue: false,
    next_step: 'Send the offer',
    version: 1,
  })
  assert.equal(deals.items[0].is_overdue, true)
  assert.partialDeepStrictEqual(deals, {
    open_count: 3,
    open_amount: euros('3120.00'),
    closing_amount: euros('120.00'),
  })
  const { closed, commit, best_case } = forecast.totals
  assert.deepEqual(deals.forecast, { closed, commit, best_case, quota: euros('100000.00') })
  assert.equal(closed.amount, '500000.00')
})

test('parts without their scope are null, and a user sees changes at once', async () => {
  const acme = await tenant()
  const { id } = await createLeadWith(acme, own(acme), { sla_due_at: minutesFromNow(5) })
  const { key } = (await acme.member.post('/api/api-keys', { name: 'Home', scopes: ['leads.read'] })).body

  const { body: limited } = await acme.bearer(`ApiKey ${key}`).get(home)
  const before = (await acme.member.get(home)).body.leads
  await acme.member.patch(`/api/leads/${id}`, { status: 'working' })
  const after = (await acme.member.get(home)).body.leads

  assert.deepEqual(idsOf(limited.leads.items), [id])
  assert.deepEqual([limited.tasks, limited.deals, limited.rooms], [null, null, null])
  assert.deepEqual([before.items.length, before.awaiting_first_response], [1, 1])
  assert.deepEqual([after.items.length, after.awaiting_first_response], [0, 0])
})

test('the home page of a new user is empty, and requires a credential', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await createLeadWith(other, own(other))

  const { status, body } = await acme.viewer.get(home)
  const anonymous = await acme.anonymous.get(home)

  assert.equal(status, 200)
  assert.deepEqual([body.tasks.items, body.leads.items, body.deals.items, body.rooms.items], [[], [], [], []])
  assert.partialDeepStrictEqual(body.leads, { open: 0, median_first_response_seconds: null })
  assert.deepEqual([body.deals.open_count, body.deals.forecast.quota], [0, null])
  assert.equal(anonymous.status, 401)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentTimeZone, fromTimeInput, setTimeZone } from '../../ui/time-zone.ts'
import type { Home } from './home-queries.ts'
import {
  compareMedians,
  greetingAt,
  summarizeAudience,
  summarizeHome,
  sumOpen,
  weeksLeftInQuarter,
} from './home-summary.ts'
import { daysUntil, listNextUp, urgencyOf } from './next-up.ts'

const money = { amount: '0.00', currency: 'EUR' }
const lead = (id: string, sla_due_at: string | null) => ({ id, sla_due_at }) as NonNullable<Home['leads']>['items'][0]
const task = (id: string, due_at: string | null) => ({ id, due_at }) as NonNullable<Home['tasks']>['items'][0]
const leadsWith = (counts: object) => ({ items: [], open: 0, breached: 0, ...counts }) as unknown as Home['leads']
const dealsWith = (count: number) =>
  ({ items: Array(count).fill({}), open_count: 9, open_amount: money }) as unknown as Home['deals']

test('leads and tasks are one queue by due time, and items without one come last', () => {
  const leads = leadsWith({ items: [lead('late lead', '2026-03-01T08:00:00Z'), lead('lead without target', null)] })
  const tasks = {
    overdue: 1,
    due_today: 1,
    items: [
      task('overdue task', '2026-02-27T12:00:00Z'),
      task('task of today', '2026-03-01T09:00:00Z'),
      task('task without date', null),
    ],
  }

  assert.deepEqual(
    listNextUp({ leads, tasks }).map(({ id }) => id),
    ['overdue task', 'late lead', 'task of today', 'lead without target', 'task without date'],
  )
  assert.deepEqual(listNextUp({ leads: null, tasks: null }), [])
})

test('a first response is urgent in its last hour', () => {
  const now = new Date(2026, 2, 1, 9).getTime()
  const after = (minutes: number) => new Date(now + minutes * 60_000).toISOString()

  assert.equal(urgencyOf({ kind: 'lead', dueAt: after(-1) }, now), 'late')
  assert.equal(urgencyOf({ kind: 'lead', dueAt: after(59) }, now), 'soon')
  assert.equal(urgencyOf({ kind: 'task', dueAt: after(59) }, now), 'today')
  assert.equal(urgencyOf({ kind: 'lead', dueAt: after(24 * 60) }, now), 'later')
  assert.equal(urgencyOf({ kind: 'task', dueAt: null }, now), 'later')
})

test('a task is due today until midnight in the zone of the user, and late from its minute on', () => {
  const browserZone = currentTimeZone()
  const typed = '2027-03-14T23:30'
  for (const zone of ['America/Los_Angeles', 'Asia/Kathmandu', 'Asia/Tokyo']) {
    setTimeZone(zone)
    const dueAt = fromTimeInput(typed)
    const urgencyAt = (text: string) => urgencyOf({ kind: 'task', dueAt }, Date.parse(fromTimeInput(text)))

    assert.deepEqual(['2027-03-13T23:59', '2027-03-14T00:00', typed].map(urgencyAt), ['later', 'today', 'today'], zone)
    assert.equal(urgencyOf({ kind: 'task', dueAt }, Date.parse(dueAt) + 1), 'late')
    assert.equal(daysUntil(dueAt, Date.parse(fromTimeInput('2027-03-13T23:59'))), 1)
  }
  setTimeZone(browserZone)
})

test('the summary says what waits, and only that', () => {
  const due = (count: number) => ({ items: [], overdue: 0, due_today: count })

  assert.equal(
    summarizeHome({
      leads: leadsWith({ awaiting_first_response: 2, breached: 1 }),
      tasks: due(1),
      deals: dealsWith(4),
    }),
    'Two leads wait for a first response, one is late. One task is due today. Four deals close in the next 30 days.',
  )
  assert.equal(
    summarizeHome({ leads: leadsWith({ awaiting_first_response: 1 }), tasks: null, deals: dealsWith(6) }),
    'One lead waits for a first response. Six or more deals close in the next 30 days.',
  )
  assert.equal(
    summarizeHome({ leads: leadsWith({ awaiting_first_response: 0, breached: 3 }), tasks: null, deals: null }),
    'Three leads are late.',
  )
  assert.equal(summarizeHome({ leads: null, tasks: null, deals: null }), 'Nothing waits for you.')
})

test('medians are compared as a share of the earlier one', () => {
  assert.deepEqual(compareMedians(690, 1_000), { text: '31 % faster than in the 30 days before', tone: 'better' })
  assert.equal(compareMedians(1_500, 1_000).tone, 'worse')
  assert.equal(compareMedians(600, null).tone, 'neutral')
  assert.equal(compareMedians(null, 600).text, 'No answer in the last 30 days')
})

test('the quarter ends by the fiscal year of the workspace', () => {
  assert.equal(weeksLeftInQuarter('2026-11-16', 1), 7)
  assert.equal(weeksLeftInQuarter('2026-11-16', 2), 11)
  assert.equal(weeksLeftInQuarter('2026-11-30', 12), 1)
  assert.equal(weeksLeftInQuarter('2026-12-31', 1), 1)
})

test('the pipeline of the team is what is neither won nor left out of the forecast', () => {
  const euros = (amount: string) => ({ amount, currency: 'EUR' })
  const totals = { closed: euros('5.00'), commit: euros('10.10'), best_case: euros('0.20'), pipeline: euros('100.00') }

  assert.deepEqual(sumOpen(totals), euros('110.30'))
})

test('the greeting follows the time of day', () => {
  assert.deepEqual([8, 13, 20, 2].map(greetingAt), ['Good morning', 'Good afternoon', 'Good evening', 'Good evening'])
})

test('the week of a marketer is told in two sentences', () => {
  type Audience = NonNullable<Home['audience']>
  const summarize = (responded: number[], reasons: Audience['cadences'][number]['paused_reason'][]) =>
    summarizeAudience(
      {
        campaigns: responded.map((count) => ({ id: '', name: '', added_7d: 0, responded_7d: count })),
        cadences: reasons.map((reason) => ({ id: '', name: '', live_count: 0, paused_reason: reason })),
      },
      'en',
    )

  assert.equal(summarize([1_000, 31], ['bounces', null]), 'One cadence is paused. 1,031 people responded this week.')
  assert.equal(summarize([1], []), 'One person responded this week.')
  assert.equal(summarize([], [null]), '')
})

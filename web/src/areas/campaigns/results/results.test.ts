import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toTable } from '../../../charts/chart-model.ts'
import type { Kpis, TouchedDeal } from '../campaign-queries.ts'
import { describeFunnel, describeModels, describeWeeks, periodOfWeek } from './result-data.ts'
import { listFigures } from './result-figures.ts'
import { filterByModel, listDots, sumAmounts, sumCredits } from './touched-deals.ts'

const euros = (amount: string) => ({ amount, currency: 'EUR' })
const amounts = (won: string, open: string) => ({ won_amount: euros(won), open_amount: euros(open) })
const weeksFrom = (monday: string, counts: readonly (readonly [number, number])[]) =>
  counts.map(([added, responded], at) => ({
    bucket_on: new Date(Date.parse(monday) + at * 7 * 86_400_000).toISOString().slice(0, 10),
    added,
    responded,
  }))

const kpis: Kpis = {
  members: 214,
  leads: 138,
  contacts: 76,
  responded: 75,
  response_rate: 0.3505,
  by_status: {},
  new_leads: 31,
  mqls: 42,
  sqls: 24,
  converted: 12,
  opportunities: { influenced: 9, open: 5, won: 4, open_amount: euros('0.00'), won_amount: euros('0.00') },
  attribution: {
    first_touch: amounts('118000.00', '92000.00'),
    last_touch: amounts('64000.00', '128000.00'),
    linear: amounts('86400.00', '61200.50'),
  },
  budget: euros('6000.00'),
  actual_cost: euros('5640.00'),
  budget_used_rate: 0.94,
  cost_per_lead: euros('181.94'),
  cost_per_response: euros('75.20'),
  roi: { first_touch: 19.9219, last_touch: 10.3475, linear: 14.3191 },
  by_week: weeksFrom('2026-05-25', [...Array.from({ length: 24 }, () => [0, 0] as const), [84, 21], [2, 1]]),
  as_of: '2026-11-18T09:42:00Z',
}
const figuresOf = (changes: Partial<Kpis>, target: number | null = 60) =>
  Object.fromEntries(
    listFigures({ expected_responses: target }, { ...kpis, ...changes }, 'en').map(({ key, ...figure }) => [
      key,
      figure,
    ]),
  )

test('a figure says what it consists of, and is only praised for a target that is reached', () => {
  const { people, responded, won, cost, roi } = figuresOf({})

  assert.deepEqual(people, { value: '214', note: '138 leads, 76 contacts' })
  assert.deepEqual(responded, { value: '75', note: '35.1%, target 60', tone: 'good' })
  assert.deepEqual(won, { value: '€86,400', note: '4 of 9 deals' })
  assert.deepEqual(cost, { value: '€5,640', note: '94% of €6,000' })
  assert.deepEqual(roi, { value: '14.3 ×', note: '€181.94 per lead', tone: 'good' })
  assert.equal(figuresOf({}, 100).responded!.tone, undefined)
  assert.equal(figuresOf({ budget_used_rate: 1.2 }).cost!.tone, 'bad')
  assert.equal(figuresOf({ roi: { ...kpis.roi!, linear: -0.4 } }).roi!.tone, 'bad')
})

test('without a cost, cost and return are unknown and not 0', () => {
  const { cost, roi } = figuresOf({ actual_cost: null, budget_used_rate: null, cost_per_lead: null, roi: null })

  assert.deepEqual(cost, { value: null, note: 'not entered' })
  assert.deepEqual(roi, { value: null, note: 'needs the cost' })
  assert.equal(figuresOf({ budget: null, budget_used_rate: null }).cost!.note, 'no budget')
})

test('the models are compared, and without a cost their table has no return', () => {
  const { data, finding } = describeModels(kpis, 'en')

  assert.deepEqual(toTable(data).columns, ['Model', 'Won', 'Open', 'Return'])
  assert.deepEqual(toTable(data).rows[2]!.cells, ['Shared', '€86,400', '€61,200.50', 'return 14.3 ×'])
  assert.match(finding, /^Between €64,000 and €118,000 was won/)
  assert.deepEqual(toTable(describeModels({ ...kpis, roi: null }, 'en').data).columns, ['Model', 'Won', 'Open'])
  const { linear } = kpis.attribution
  const same = { first_touch: linear, last_touch: linear, linear }
  assert.match(describeModels({ ...kpis, attribution: same }, 'en').finding, /^€86,400 was won by every model/)
})

test('the funnel names the largest loss, and only steps whose records can be shown lead to them', () => {
  const { data, finding } = describeFunnel(kpis, 'en', true)

  assert.deepEqual(
    toTable(data).rows.map(({ cells }) => cells),
    [
      ['People', '214', '–'],
      ['Responded', '75', '35%'],
      ['MQL', '42', '56%'],
      ['SQL', '24', '57%'],
      ['Deals won', '4', '17%'],
    ],
  )
  assert.equal(finding, 'Most stop between People and Responded: 139 of 214.')
  assert.deepEqual(
    data.rows.map(({ isClosed }) => isClosed),
    [false, false, true, true, false],
  )
  assert.equal(describeFunnel(kpis, 'en', false).data.rows[4]!.isClosed, true)
  const empty = {
    ...kpis,
    members: 0,
    responded: 0,
    mqls: 0,
    sqls: 0,
    opportunities: { ...kpis.opportunities, won: 0 },
  }
  assert.equal(describeFunnel(empty, 'en', true).finding, 'Every step is as large as the one before.')
})

test('weeks before the first person are left out, but six are shown, and the current one is not over', () => {
  const { data, finding } = describeWeeks(kpis, 'en')

  assert.equal(data.rows.length, 6)
  assert.deepEqual(
    data.rows.map(({ isUnfinished }) => isUnfinished),
    [false, false, false, false, false, true],
  )
  assert.match(
    finding,
    /^Most were added in the week of Nov 9[^:]*: 84\. Most responded in the week of Nov 9[^:]*: 21\.$/,
  )
  const all = weeksFrom('2026-05-25', [[3, 0], ...Array.from({ length: 25 }, () => [0, 0] as const)])
  assert.equal(describeWeeks({ by_week: all }, 'en').data.rows.length, 26)
  assert.equal(periodOfWeek('2026-10-26'), '2026-10-26..2026-11-01')
})

const dealOf = (first: string, last: string, linear: string, place = { position: 1, of: 2 }): TouchedDeal => ({
  opportunity: { id: '0190a000-0000-7000-8000-000000000001', name: 'Turbines' },
  account: null,
  amount: euros('100.00'),
  kind: 'won',
  touch_at: '2026-11-01T09:00:00Z',
  ...place,
  credit: { first_touch: euros(first), last_touch: euros(last), linear: euros(linear) },
})

test('shares are added without rounding, and a model shows the deals that it gives a share of', () => {
  const deals = [dealOf('100.01', '0.00', '33.34'), dealOf('0.00', '0.10', '0.20'), dealOf('0.00', '0.20', '0.10')]

  assert.deepEqual(sumCredits(deals), {
    first_touch: euros('100.01'),
    last_touch: euros('0.30'),
    linear: euros('33.64'),
  })
  assert.deepEqual(sumAmounts([euros('0.05')]), euros('0.05'))
  assert.deepEqual(sumAmounts([{ amount: '700', currency: 'JPY' }]), { amount: '700', currency: 'JPY' })
  assert.equal(sumAmounts([]), undefined)
  assert.deepEqual(filterByModel(deals, 'first_touch'), [deals[0]])
  assert.deepEqual(filterByModel(deals, undefined), deals)
})

test('a touch is one of at most six dots', () => {
  const dotsOf = (position: number, of: number) =>
    listDots({ position, of })
      .map((isOwn) => (isOwn ? 'x' : '.'))
      .join('')

  assert.deepEqual([dotsOf(1, 1), dotsOf(4, 4), dotsOf(1, 20), dotsOf(20, 20)], ['x', '...x', 'x.....', '.....x'])
  for (let position = 1; position <= 9; position++) assert.equal(dotsOf(position, 9).replaceAll('.', ''), 'x')
})

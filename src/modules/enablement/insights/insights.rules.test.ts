import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DealFacts } from '#modules/crm'
import { findCoverageGaps, rankContentWins, trendOf } from './insights.rules.ts'

const at = new Date('2030-03-01T00:00:00Z')
const deal = (id: string, fields: Partial<DealFacts>): DealFacts => ({
  id,
  kind: 'open',
  stage_key: 'negotiation',
  industry: 'retail',
  created_at: at,
  updated_at: at,
  closed_at: null,
  amount_base_minor: 10_000,
  ...fields,
})
const closed = (prefix: string, count: number, won: number) =>
  Array.from({ length: count }, (_, index) =>
    deal(`${prefix}${index}`, { kind: index < won ? 'won' : 'lost', closed_at: at }),
  )
const influencesOf = (item_id: string, deals: readonly DealFacts[]) =>
  deals.map(({ id }) => ({ item_id, opportunity_id: id }))

test('enablement-8-1 eight of ten won deals against a baseline of 20 of 50', () => {
  const [own, others] = [closed('own', 10, 8), closed('other', 50, 20)]

  const [win] = rankContentWins(influencesOf('deck', own), [...own, ...others], 'EUR')

  assert.deepEqual(win, {
    item_id: 'deck',
    won: 8,
    lost: 2,
    win_rate: 0.8,
    wilson_low: 0.4902,
    baseline_win_rate: 0.4,
    lift: 0.4,
    won_amount: { amount: '800.00', currency: 'EUR' },
    confidence: 'low',
  })
})

test('enablement-8-2 items with fewer than five closed deals are absent, the others are ranked by the lower bound', () => {
  const [few, some, many] = [closed('few', 1, 1), closed('some', 5, 5), closed('many', 40, 30)]
  const open = [deal('open', {})]
  const influences = [
    ...influencesOf('lucky', few),
    ...influencesOf('good', some),
    ...influencesOf('proven', [...many, ...open]),
    { item_id: 'good', opportunity_id: 'unknown' },
  ]

  const wins = rankContentWins(influences, [...few, ...some, ...many, ...open], 'EUR')

  assert.deepEqual(
    wins.map(({ item_id, won, lost, confidence }) => [item_id, won, lost, confidence]),
    [
      ['proven', 30, 10, 'ok'],
      ['good', 5, 0, 'low'],
    ],
  )
  const [alone] = rankContentWins(influencesOf('good', some), some, 'EUR')
  assert.deepEqual([alone?.baseline_win_rate, alone?.lift], [null, null])
})

test('enablement-8-6 three open deals of a stage and industry without content are a gap', () => {
  const three = [deal('a', {}), deal('b', {}), deal('c', { amount_base_minor: null })]
  const item = (fields: object) => ({
    id: 'i',
    stages: ['negotiation'],
    industries: ['retail'],
    isStale: false,
    ...fields,
  })
  const gaps = (items: ReturnType<typeof item>[], deals: DealFacts[] = three) =>
    findCoverageGaps(deals, items, 'EUR').map(({ severity, items: count }) => [severity, count])

  assert.deepEqual(findCoverageGaps(three, [], 'EUR'), [
    {
      stage: 'negotiation',
      industry: 'retail',
      open_count: 3,
      open_amount: { amount: '200.00', currency: 'EUR' },
      items: 0,
      fresh_items: 0,
      severity: 'high',
    },
  ])
  assert.deepEqual(gaps([item({})]), [])
  assert.deepEqual(gaps([item({ industries: [] })]), [])
  assert.deepEqual(gaps([item({ industries: ['Retail'], stages: ['Negotiation'] })]), [])
  assert.deepEqual(gaps([item({ industries: ['banking'] })]), [['high', 0]])
  assert.deepEqual(gaps([item({ stages: [] })]), [['high', 0]])
  assert.deepEqual(gaps([item({ isStale: true })]), [['medium', 1]])
  assert.deepEqual(gaps([], three.slice(1)), [])
  assert.deepEqual(
    gaps(
      [],
      three.map((open) => ({ ...open, industry: null })),
    ),
    [],
  )
  const others = ['d', 'e', 'f'].map((id) => deal(id, { industry: 'banking', amount_base_minor: 90_000 }))
  const bankingItem = item({ industries: ['banking'], isStale: true })
  assert.deepEqual(
    findCoverageGaps([...others, ...three], [bankingItem], 'EUR').map(({ industry }) => industry),
    ['retail', 'banking'],
  )
})

test('a trend compares with the period before', () => {
  assert.deepEqual(trendOf(3, 2), { previous: 2, trend_rate: 0.5 })
  assert.deepEqual(trendOf(3, 0), { previous: 0, trend_rate: null })
})

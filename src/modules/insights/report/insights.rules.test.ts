import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DealSegment } from '#modules/crm'
import { findCoverageGaps, rankContentWins, trendOf } from './insights.rules.ts'

const outcomes = (item_id: string, closed: number, won: number) => ({
  item_id,
  closed,
  won,
  won_amount_minor: won * 10_000,
})

test('enablement-8-1 eight of ten won deals against a baseline of 20 of 50', () => {
  const [win] = rankContentWins([outcomes('deck', 10, 8)], { won: 28, closed: 60 }, 'EUR')

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
  const items = [outcomes('lucky', 1, 1), outcomes('good', 5, 5), outcomes('proven', 40, 30)]

  const wins = rankContentWins(items, { won: 36, closed: 46 }, 'EUR')

  assert.deepEqual(
    wins.map(({ item_id, won, lost, confidence }) => [item_id, won, lost, confidence]),
    [
      ['proven', 30, 10, 'ok'],
      ['good', 5, 0, 'low'],
    ],
  )
  for (const totals of [
    { won: 5, closed: 5 },
    { won: 4, closed: 4 },
  ]) {
    const [alone] = rankContentWins([outcomes('good', 5, 5)], totals, 'EUR')
    assert.deepEqual([alone?.baseline_win_rate, alone?.lift], [null, null])
  }
})

test('enablement-8-6 three open deals of a stage and industry without content are a gap', () => {
  const segment = (fields: object = {}) => ({
    stage: 'negotiation',
    industry: 'retail',
    count: 3,
    amount_base_minor: 20_000,
    ...fields,
  })
  const item = (fields: object) => ({
    id: 'i',
    stages: ['negotiation'],
    industries: ['retail'],
    isStale: false,
    ...fields,
  })
  const gaps = (items: ReturnType<typeof item>[], segments: DealSegment[] = [segment()]) =>
    findCoverageGaps(segments, items, 'EUR').map(({ severity, items: count }) => [severity, count])

  assert.deepEqual(findCoverageGaps([segment()], [], 'EUR'), [
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
  assert.deepEqual(gaps([], [segment({ count: 2 })]), [])
  const banking = segment({ industry: 'banking', amount_base_minor: 270_000 })
  const bankingItem = item({ industries: ['banking'], isStale: true })
  assert.deepEqual(
    findCoverageGaps([banking, segment()], [bankingItem], 'EUR').map(({ industry }) => industry),
    ['retail', 'banking'],
  )
})

test('a trend compares with the period before', () => {
  assert.deepEqual(trendOf(3, 2), { previous: 2, trend_rate: 0.5 })
  assert.deepEqual(trendOf(3, 0), { previous: 0, trend_rate: null })
})

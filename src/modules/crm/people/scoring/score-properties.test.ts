import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { daysLater } from '#platform/clock'
import { defaultScoringConfig } from './default-scoring-config.ts'
import { calculateScore, parseScoringConfig, type ScoringInput } from './score.rules.ts'
import type { ScoringConfig } from './scoring.schemas.ts'
import { type Signal, signals } from './signals.rules.ts'

const now = new Date('2026-03-10T12:00:00Z')
const points = fc.integer({ min: -100, max: 100 })
const group = fc.constantFrom('one', 'two')
const cap = fc.integer({ min: 0, max: 100 })
const signal = fc.constantFrom(...signals)

const config: fc.Arbitrary<ScoringConfig> = fc
  .record({
    thresholds: fc
      .uniqueArray(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 2 })
      .map((pair) => pair.sort((x, y) => y - x)),
    fitShare: fc.integer({ min: 0, max: 1_000 }),
    caps: fc.record({ one: cap, two: cap }),
    fit: fc.array(fc.record({ group, points }), { maxLength: 6 }),
    half_life_days: fc.integer({ min: 1, max: 365 }),
    window_days: fc.integer({ min: 7, max: 365 }),
    engagement: fc.array(fc.record({ group, points, signal, max_count: fc.integer({ min: 1, max: 50 }) }), {
      maxLength: 6,
    }),
  })
  .map(({ thresholds, fitShare, caps, fit, half_life_days, window_days, engagement }) => ({
    grade_thresholds: { a: thresholds[0]!, b: thresholds[1]! },
    weights: { fit: fitShare / 1_000, engagement: (1_000 - fitShare) / 1_000 },
    fit: {
      group_caps: caps,
      rules: fit.map((rule, index) => ({ ...rule, key: `f${index}`, label: 'F', when: { all: [] } })),
    },
    engagement: {
      half_life_days,
      window_days,
      group_caps: caps,
      rules: engagement.map((rule, index) => ({ ...rule, key: `e${index}`, label: 'E' })),
    },
    auto_mql: { enabled: true, min_score: 70 },
  }))

const ages = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 10 }).map((days) => days.sort((x, y) => x - y))
const signalAges = fc.dictionary(signal, ages).map((byName) => new Map(Object.entries(byName) as [Signal, number[]][]))
const components = fc.array(points, { maxLength: 3 })
const email_status = fc.constantFrom('unknown', 'unsubscribed')

type ScoringCase = {
  config: ScoringConfig
  signalAges: Map<Signal, number[]>
  components: number[]
  email_status: string
}
const anyCase: fc.Arbitrary<ScoringCase> = fc.record({ config, signalAges, components, email_status })

function score({ config, signalAges, components, email_status }: ScoringCase, at = now) {
  const input: ScoringInput = {
    lead: { email_status },
    signals: new Map([...signalAges].map(([signal, days]) => [signal, days.map((age) => daysLater(now, -age))])),
    components: components.map((points, index) => ({ key: `c:${index}`, label: 'C', points })),
  }
  return calculateScore(parseScoringConfig(config, 'EUR'), input, { now: at, timezone: 'UTC', me: null })
}

const gradeIn = ({ a, b }: ScoringConfig['grade_thresholds'], score: number) =>
  score >= a ? 'A' : score >= b ? 'B' : 'C'

test('every score is an integer from 0 to 100 with the matching grade', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const scored = score(one)
      for (const value of [scored.fit_score, scored.engagement_score, scored.score])
        assert.ok(Number.isInteger(value) && value >= 0 && value <= 100, String(value))
      assert.equal(scored.grade, gradeIn(one.config.grade_thresholds, scored.score))
      assert.deepEqual(score(one), scored)
    }),
  )
})

test('halves are rounded up despite floating-point weights', () => {
  const rule = (points: number) => ({ key: 'k', label: 'L', group: 'one', points })
  for (let share = 0; share <= 100; share += 5)
    for (let fit = 1; fit <= 100; fit++)
      for (const engagement of [33, 50]) {
        const config: ScoringConfig = {
          ...defaultScoringConfig,
          weights: { fit: share / 100, engagement: (100 - share) / 100 },
          fit: { group_caps: { one: 100 }, rules: [{ ...rule(fit), when: { all: [] } }] },
          engagement: {
            half_life_days: 14,
            window_days: 90,
            group_caps: { one: 100 },
            rules: [{ ...rule(engagement), signal: 'page_viewed', max_count: 1 }],
          },
        }
        const input = {
          config,
          signalAges: new Map([['page_viewed' as const, [0]]]),
          components: [],
          email_status: 'unknown',
        }
        const hundredths = share * fit + (100 - share) * engagement
        assert.equal(
          score(input).score,
          Math.floor((hundredths + 50) / 100),
          `${share} % of ${fit}, rest of ${engagement}`,
        )
      }
})

test('the order of the rules does not matter', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const { fit, engagement } = one.config
      const reversed = {
        ...one.config,
        fit: { ...fit, rules: fit.rules.toReversed() },
        engagement: { ...engagement, rules: engagement.rules.toReversed() },
      }
      const { score_reasons: _, ...scores } = score(one)
      const { score_reasons: __, ...others } = score({ ...one, config: reversed })
      assert.deepEqual(others, scores)
    }),
  )
})

test('without negative points, a score decays with time and grows with another signal', () => {
  fc.assert(
    fc.property(anyCase, fc.integer({ min: 0, max: 100 }), signal, (one, days, more) => {
      const { engagement } = one.config
      const rules = engagement.rules.map((rule) => ({ ...rule, points: Math.abs(rule.points) }))
      const positive = { ...one, config: { ...one.config, engagement: { ...engagement, rules } } }
      const today = score(positive).engagement_score
      const withSignal = new Map(one.signalAges).set(more, [0, ...(one.signalAges.get(more) ?? [])])

      const subscribed = { ...positive, email_status: 'unknown' }
      assert.ok(score(subscribed, daysLater(now, days)).engagement_score <= score(subscribed).engagement_score)
      assert.ok(score({ ...positive, signalAges: withSignal }).engagement_score >= today)
    }),
  )
})

test('the reasons of an uncapped score add up to it', () => {
  fc.assert(
    fc.property(anyCase, (one) => {
      const { fit_score, score_reasons } = score(one)
      const reasons = score_reasons.filter(({ rule_key }) => rule_key.startsWith('f'))
      if (reasons.some(({ capped }) => capped)) return
      const sum = reasons.reduce((total, { points }) => total + points, 0)
      assert.equal(fit_score, Math.min(100, Math.max(0, sum)))
    }),
  )
})

test('the default config has unique keys and valid rules', () => {
  const { fit, engagement } = defaultScoringConfig
  const keys = [...fit.rules, ...engagement.rules].map(({ key }) => key)
  assert.equal(new Set(keys).size, keys.length)
  assert.ok(parseScoringConfig(defaultScoringConfig, 'EUR').fitRules.every(({ when }) => when))
})

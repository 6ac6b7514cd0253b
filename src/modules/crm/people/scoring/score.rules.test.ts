import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLater, secondsLater } from '#platform/clock'
import { defaultScoringConfig } from './default-scoring-config.ts'
import { calculateScore, parseScoringConfig, type ScoreComponent } from './score.rules.ts'
import type { EngagementRule, ScoringConfig } from './scoring.schemas.ts'
import type { Signal } from './signals.rules.ts'

const now = new Date('2026-03-10T12:00:00Z')
const context = { now, timezone: 'UTC', me: null }
const unknownLead = { email_status: 'unknown' }
const vp = {
  email_status: 'unknown',
  title: 'VP Marketing',
  email_kind: 'business',
  phone: '+49 30 901820',
  company: 'Acme',
  industry: 'Software',
  employee_count: 300,
}

type SignalAges = Partial<Record<Signal, number[]>>

/** Scores a lead with signals of the given ages in days. */
function score(
  lead: typeof unknownLead & Record<string, unknown>,
  signalAges: SignalAges = {},
  { config = defaultScoringConfig, components = [] }: { config?: ScoringConfig; components?: ScoreComponent[] } = {},
) {
  const entries = Object.entries(signalAges) as [Signal, number[]][]
  const signals = new Map(entries.map(([signal, ages]) => [signal, ages.map((age) => daysLater(now, -age))]))
  return calculateScore(parseScoringConfig(config, 'EUR'), { lead, signals, components }, context)
}

const withEngagement = (rules: Partial<EngagementRule>[], settings: Partial<ScoringConfig['engagement']> = {}) => ({
  ...defaultScoringConfig,
  engagement: {
    half_life_days: 14,
    window_days: 90,
    group_caps: { g: 100 },
    ...settings,
    rules: rules.map((rule, index) => ({
      key: `r${index}`,
      label: 'R',
      group: 'g',
      signal: 'page_viewed' as const,
      points: 10,
      max_count: 50,
      ...rule,
    })),
  },
})

test('the worked example gives fit 90, engagement 32, score 61 and a B', () => {
  const { score_reasons, ...scores } = score(vp, { email_replied: [14], call_connected: [0], email_clicked: [7, 7] })

  assert.deepEqual(scores, { fit_score: 90, engagement_score: 32, score: 61, grade: 'B' })
  assert.deepEqual(
    score_reasons.map(({ rule_key, group, points, count, capped }) => [rule_key, group, points, count, capped]),
    [
      ['leader_title', 'person', 30, 1, false],
      ['business_email', 'person', 15, 1, false],
      ['phone_known', 'person', 5, 1, false],
      ['company_known', 'company', 10, 1, false],
      ['industry_known', 'company', 10, 1, false],
      ['mid_size', 'company', 20, 1, false],
      ['email_replied', 'intent', 10, 1, false],
      ['call_connected', 'intent', 15, 1, false],
      ['email_clicked', 'interest', 7.07, 2, false],
    ],
  )
  assert.ok(score_reasons.every(({ label }) => label.length > 3))
})

test('titles are matched by whole words', () => {
  assert.deepEqual(
    score({ ...unknownLead, title: 'Director of Sales' }).score_reasons.map(({ rule_key }) => rule_key),
    ['head_title'],
  )
  assert.equal(score({ ...unknownLead, title: 'Group CTO' }).fit_score, 30)
  assert.equal(score({ ...unknownLead, title: 'Leadership coach, Ownership Inc' }).fit_score, 0)
})

test('a lead without data has score 0', () => {
  assert.deepEqual(score(unknownLead), {
    fit_score: 0,
    engagement_score: 0,
    score: 0,
    grade: 'C' as const,
    score_reasons: [],
  })
})

test('positive points are capped per group and marked; negative points are not capped', () => {
  const capped = score({ ...vp, title: 'VP and Head of Sales', employee_count: 5_000 })
  const withNegative = score({ ...vp, title: 'VP, Head, Intern', email_kind: 'free' })

  assert.equal(capped.fit_score, 100)
  assert.deepEqual(
    capped.score_reasons.filter(({ capped }) => capped).map(({ rule_key, points }) => [rule_key, points]),
    [
      ['leader_title', 30],
      ['head_title', 20],
      ['business_email', 15],
      ['phone_known', 5],
    ],
  )
  assert.equal(withNegative.fit_score, 50 + 40 - 20 - 10)
  assert.deepEqual(
    withNegative.score_reasons
      .filter(({ group }) => group === 'negative')
      .map(({ points, capped }) => [points, capped]),
    [
      [-20, false],
      [-10, false],
    ],
  )
})

test('the newest signals count, up to max_count', () => {
  const replies = score(unknownLead, { email_replied: [0, 14, 28, 42] })

  assert.equal(replies.engagement_score, 35)
  assert.deepEqual(
    replies.score_reasons.map(({ points, count }) => [points, count]),
    [[35, 3]],
  )
})

test('a signal decays by whole days and expires after the window', () => {
  const scoreAt = (at: Date) =>
    calculateScore(
      parseScoringConfig(withEngagement([{ points: 100 }], { half_life_days: 1, window_days: 7 }), 'EUR'),
      { lead: unknownLead, signals: new Map([['page_viewed', [at]]]), components: [] },
      context,
    ).engagement_score

  assert.equal(scoreAt(secondsLater(now, 240)), 100)
  assert.equal(scoreAt(secondsLater(now, -86_399)), 100)
  assert.equal(scoreAt(secondsLater(now, -86_400)), 50)
  assert.equal(scoreAt(daysLater(now, -6.99)), 2)
  assert.equal(scoreAt(daysLater(now, -7)), 0)
})

test('negative points do not decay', () => {
  const engagement = { page_viewed: [0], email_bounced: [80] } satisfies SignalAges
  const config = withEngagement([{ points: 50 }, { signal: 'email_bounced', points: -20, group: 'negative' }])

  assert.equal(score(unknownLead, engagement, { config }).engagement_score, 30)
  assert.equal(score(unknownLead, { ...engagement, email_bounced: [80, 81] }, { config }).engagement_score, 10)
})

test('an unsubscribed lead loses points once while it is unsubscribed', () => {
  const clicks = { form_submitted: [0, 0] }

  assert.equal(score({ email_status: 'unsubscribed' }, clicks).engagement_score, 20)
  assert.equal(score({ email_status: 'subscribed' }, clicks).engagement_score, 50)
})

test('components are added to the score and listed as reasons', () => {
  const components = [
    { key: 'pql:trial', label: 'Trial in full use', points: 15 },
    { key: 'survey:1', label: 'Unhappy', points: -5 },
  ]
  const scored = score(vp, {}, { components })

  assert.equal(scored.score, 45 + 10)
  assert.deepEqual(scored.score_reasons.slice(-2), [
    { rule_key: 'pql:trial', label: 'Trial in full use', group: 'component', points: 15, count: 1, capped: false },
    { rule_key: 'survey:1', label: 'Unhappy', group: 'component', points: -5, count: 1, capped: false },
  ])
  assert.equal(score(unknownLead, {}, { components: [{ key: 'x', label: 'X', points: -100 }] }).score, 0)
  assert.equal(score(vp, {}, { components: [{ key: 'x', label: 'X', points: 100 }] }).score, 100)
})

test('a rule with a removed field gives no points and does not affect others', () => {
  const gone = { key: 'gone', label: 'Gone', group: 'person', points: 50 }
  const rules = [{ ...gone, when: { field: 'custom.gone', op: 'is_set' } }, ...defaultScoringConfig.fit.rules]
  const config = { ...defaultScoringConfig, fit: { ...defaultScoringConfig.fit, rules } }

  assert.equal(score(vp, {}, { config }).fit_score, 90)
})

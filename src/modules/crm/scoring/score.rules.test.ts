import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLater, secondsLater } from '#platform/clock'
import { defaultConfig } from './default-config.ts'
import { type Component, scoreOf } from './score.rules.ts'
import type { EngagementRule, ScoringConfig } from './scoring.schemas.ts'
import { parseConfig } from './scoring-config.rules.ts'
import type { Signal } from './signals.rules.ts'

const now = new Date('2026-03-10T12:00:00Z')
const asker = { now, timezone: 'UTC', me: null }
const nobody = { email_status: 'unknown' }
const vp = {
  ...{ email_status: 'unknown', title: 'VP Marketing', email_kind: 'business', phone: '+49 30 901820' },
  ...{ company: 'Acme', industry: 'Software', employee_count: 300 },
}

type Seen = Partial<Record<Signal, number[]>>

/** The score of a lead that gave signals so many days ago. */
function score(
  lead: typeof nobody & Record<string, unknown>,
  seen: Seen = {},
  { config = defaultConfig, components = [] }: { config?: ScoringConfig; components?: Component[] } = {},
) {
  const entries = Object.entries(seen) as [Signal, number[]][]
  const signals = new Map(entries.map(([signal, ages]) => [signal, ages.map((age) => daysLater(now, -age))]))
  return scoreOf(parseConfig(config, 'EUR'), { lead, signals, components }, asker)
}

const withEngagement = (rules: Partial<EngagementRule>[], more: Partial<ScoringConfig['engagement']> = {}) => ({
  ...defaultConfig,
  engagement: {
    ...{ half_life_days: 14, window_days: 90, group_caps: { g: 100 }, ...more },
    rules: rules.map((rule, index) => ({
      ...{ key: `r${index}`, label: 'R', group: 'g', signal: 'page_viewed' as const, points: 10, max_count: 50 },
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

test('a director is no CTO', () => {
  assert.deepEqual(
    score({ ...nobody, title: 'Director of Sales' }).score_reasons.map(({ rule_key }) => rule_key),
    ['head_title'],
  )
  assert.equal(score({ ...nobody, title: 'Group CTO' }).fit_score, 30)
  assert.equal(score({ ...nobody, title: 'Leadership coach, Ownership Inc' }).fit_score, 0)
})

test('nothing known is nothing scored', () => {
  assert.deepEqual(score(nobody), {
    ...{ fit_score: 0, engagement_score: 0, score: 0, grade: 'C' as const },
    score_reasons: [],
  })
})

test('a group gives no more than its cap, and says so; what speaks against somebody counts in full', () => {
  const capped = score({ ...vp, title: 'VP and Head of Sales', employee_count: 5_000 })
  const spoiled = score({ ...vp, title: 'VP, Head, Intern', email_kind: 'free' })

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
  assert.equal(spoiled.fit_score, 50 + 40 - 20 - 10)
  assert.deepEqual(
    spoiled.score_reasons.filter(({ group }) => group === 'negative').map(({ points, capped }) => [points, capped]),
    [
      [-20, false],
      [-10, false],
    ],
  )
})

test('of a signal the newest count, up to the most a rule counts', () => {
  const replies = score(nobody, { email_replied: [0, 14, 28, 42] })

  assert.equal(replies.engagement_score, 35)
  assert.deepEqual(
    replies.score_reasons.map(({ points, count }) => [points, count]),
    [[35, 3]],
  )
})

test('a signal fades by whole days and is forgotten after the window', () => {
  const seenAt = (at: Date) =>
    scoreOf(
      parseConfig(withEngagement([{ points: 100 }], { half_life_days: 1, window_days: 7 }), 'EUR'),
      { lead: nobody, signals: new Map([['page_viewed', [at]]]), components: [] },
      asker,
    ).engagement_score

  assert.equal(seenAt(secondsLater(now, 240)), 100)
  assert.equal(seenAt(secondsLater(now, -86_399)), 100)
  assert.equal(seenAt(secondsLater(now, -86_400)), 50)
  assert.equal(seenAt(daysLater(now, -6.99)), 2)
  assert.equal(seenAt(daysLater(now, -7)), 0)
})

test('what speaks against somebody does not fade', () => {
  const engagement = { page_viewed: [0], email_bounced: [80] } satisfies Seen
  const config = withEngagement([{ points: 50 }, { signal: 'email_bounced', points: -20, group: 'negative' }])

  assert.equal(score(nobody, engagement, { config }).engagement_score, 30)
  assert.equal(score(nobody, { ...engagement, email_bounced: [80, 81] }, { config }).engagement_score, 10)
})

test('who does not want our e-mails loses points once, for as long as that is so', () => {
  const clicks = { form_submitted: [0, 0] }

  assert.equal(score({ email_status: 'unsubscribed' }, clicks).engagement_score, 20)
  assert.equal(score({ email_status: 'subscribed' }, clicks).engagement_score, 50)
})

test('components add to the score as they are, and show among the reasons', () => {
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
  assert.equal(score(nobody, {}, { components: [{ key: 'x', label: 'X', points: -100 }] }).score, 0)
  assert.equal(score(vp, {}, { components: [{ key: 'x', label: 'X', points: 100 }] }).score, 100)
})

test('a rule whose field is gone gives nothing and spoils nothing', () => {
  const gone = { key: 'gone', label: 'Gone', group: 'person', points: 50 }
  const rules = [{ ...gone, when: { field: 'custom.gone', op: 'is_set' } }, ...defaultConfig.fit.rules]
  const config = { ...defaultConfig, fit: { ...defaultConfig.fit, rules } }

  assert.equal(score(vp, {}, { config }).fit_score, 90)
})

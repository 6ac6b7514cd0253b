import type { ScoreReason } from '../leads/leads.schemas.ts'
import { matches, type RuleRecord } from '../rules/match-rule.rules.ts'
import type { Asker } from '../rules/vocabulary.rules.ts'
import type { EngagementRule, Scores, ScoringConfig } from './scoring.schemas.ts'
import type { ParsedConfig } from './scoring-config.rules.ts'
import type { Signal } from './signals.rules.ts'

const oneDayMs = 86_400_000

/** Points somebody else added to a score, under a name of their own. */
export type Component = { key: string; label: string; points: number }

/** What is known of a lead when it is scored. */
export type Evidence = {
  lead: RuleRecord & { readonly email_status: string }
  /** When each signal was seen, the newest first. */
  signals: ReadonlyMap<Signal, readonly Date[]>
  components: readonly Component[]
}
export type Score = Scores & { score_reasons: ScoreReason[] }

/** What one rule gave, before its group is capped. */
type Gain = { key: string; label: string; group: string; points: number; count: number }

/** How good a lead is and why: who they are, what they did lately, and what others know. */
export function scoreOf({ config, fitRules }: ParsedConfig, evidence: Evidence, asker: Asker): Score {
  const fit = addUp(
    fitRules
      .filter(({ when }) => when && matches(when, evidence.lead, asker))
      .map(({ rule }) => ({ ...rule, count: 1 })),
    config.fit.group_caps,
  )
  const engagement = addUp(
    config.engagement.rules.map((rule) => gainOf(rule, evidence, config, asker.now)),
    config.engagement.group_caps,
  )
  const others = evidence.components.map((component) => ({ ...component, group: 'component', count: 1 }))
  const [fit_score, engagement_score] = [percent(fit.points), percent(engagement.points)]
  const { weights } = config
  const score = percent(
    weights.fit * fit_score + weights.engagement * engagement_score + sum(others.map(({ points }) => points)),
  )
  return {
    fit_score,
    engagement_score,
    score,
    grade: gradeOf(score, config.grade_thresholds),
    score_reasons: [...fit.reasons, ...engagement.reasons, ...others.map((gain) => reasonFrom(gain, false))],
  }
}

/** Only the newest of a signal count, each the less the older it is. What speaks against somebody does not fade. */
function gainOf(rule: EngagementRule, evidence: Evidence, { engagement }: ScoringConfig, now: Date): Gain {
  const { key, label, group, signal, points, max_count } = rule
  const ages = agesOf(signal, evidence, now).filter((days) => days < engagement.window_days)
  const counted = ages.slice(0, max_count)
  const weight = (days: number) => (points < 0 ? 1 : 2 ** (-days / engagement.half_life_days))
  return { key, label, group, points: points * sum(counted.map(weight)), count: counted.length }
}

/** In whole days. What is said to happen in a few minutes happens today. */
function agesOf(signal: Signal, { lead, signals }: Evidence, now: Date): number[] {
  if (signal === 'unsubscribed') return lead.email_status === 'unsubscribed' ? [0] : []
  const seen = signals.get(signal) ?? []
  return seen.map((at) => Math.max(0, Math.floor((now.getTime() - at.getTime()) / oneDayMs)))
}

/** A group gives no more than its cap. What is taken off is taken off in full. */
function addUp(gains: readonly Gain[], caps: Readonly<Record<string, number>>) {
  const given = gains.filter(({ points }) => points !== 0)
  const groups = Map.groupBy(
    given.filter(({ points }) => points > 0),
    ({ group }) => group,
  )
  const totals = new Map([...groups].map(([group, within]) => [group, sum(within.map(({ points }) => points))]))
  const capOf = (group: string) => caps[group] ?? Number.POSITIVE_INFINITY
  const isOver = ({ group, points }: Gain) => points > 0 && settled(totals.get(group)!) > capOf(group)
  const lost = given.map(({ points }) => Math.min(points, 0))
  const won = [...totals].map(([group, total]) => Math.min(total, capOf(group)))
  return { points: sum([...won, ...lost]), reasons: given.map((gain) => reasonFrom(gain, isOver(gain))) }
}

const reasonFrom = ({ key, label, group, points, count }: Gain, capped: boolean): ScoreReason => ({
  ...{ rule_key: key, label, group, count, capped },
  points: Math.round(settled(points) * 100) / 100,
})

const gradeOf = (score: number, { a, b }: ScoringConfig['grade_thresholds']): Scores['grade'] =>
  score >= a ? 'A' : score >= b ? 'B' : 'C'

/** A whole number from 0 to 100, halves rounded up. */
const percent = (points: number): number => Math.min(100, Math.max(0, Math.floor(settled(points) + 0.5)))

/** Binary fractions miss 10.5 by a hair, which must not cost a point. */
const settled = (points: number): number => Number(points.toFixed(9))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

import type { RuleContext } from '#platform/rules'
import { matchesRule, type RuleRecord } from '#platform/rules'
import { stageRank } from '../../records/persons/lifecycle.rules.ts'
import type { ScoreReason } from '../lead-records/leads.schemas.ts'
import type { EngagementRule, Scores, ScoringConfig } from './scoring.schemas.ts'
import type { ParsedScoringConfig } from './scoring-config.rules.ts'
import type { Signal } from './signals.rules.ts'

const dayMs = 86_400_000

export type ScoreComponent = { key: string; label: string; points: number }

export type ScoringInput = {
  lead: RuleRecord & { readonly email_status: string }
  /** Times of each signal, newest first. */
  signals: ReadonlyMap<Signal, readonly Date[]>
  components: readonly ScoreComponent[]
}

export type LeadScore = Scores & { score_reasons: ScoreReason[] }

type RulePoints = { key: string; label: string; group: string; points: number; count: number }

export function calculateScore(
  { config, fitRules }: ParsedScoringConfig,
  input: ScoringInput,
  context: RuleContext,
): LeadScore {
  const fit = sumByGroup(
    fitRules
      .filter(({ when }) => when && matchesRule(when, input.lead, context))
      .map(({ rule }) => ({ ...rule, count: 1 })),
    config.fit.group_caps,
  )
  const engagement = sumByGroup(
    config.engagement.rules.map((rule) => engagementPoints(rule, input, config, context.now)),
    config.engagement.group_caps,
  )
  const components = input.components.map((component) => ({ ...component, group: 'component', count: 1 }))
  const [fit_score, engagement_score] = [toScore(fit.points), toScore(engagement.points)]
  const { weights } = config
  const score = toScore(
    weights.fit * fit_score + weights.engagement * engagement_score + sum(components.map(({ points }) => points)),
  )
  return {
    fit_score,
    engagement_score,
    score,
    grade: gradeOf(score, config.grade_thresholds),
    score_reasons: [...fit.reasons, ...engagement.reasons, ...components.map((rule) => toReason(rule, false))],
  }
}

type MqlState = { lifecycle_stage: string; score: number; mql_at?: Date | null }

/** A lead that a user moved back becomes an MQL again only when its score crosses the threshold again. */
export function becomesMql(
  before: Pick<MqlState, 'score'>,
  { lifecycle_stage, score, mql_at = null }: MqlState,
  { auto_mql: { enabled, min_score } }: ScoringConfig,
): boolean {
  if (!enabled || score < min_score || stageRank(lifecycle_stage) >= stageRank('mql')) return false
  return mql_at === null || before.score < min_score
}

/** Counts the newest signals, each halved per half-life. Negative points do not decay. */
function engagementPoints(
  rule: EngagementRule,
  input: ScoringInput,
  { engagement }: ScoringConfig,
  now: Date,
): RulePoints {
  const { key, label, group, signal, points, max_count } = rule
  const ages = signalAges(signal, input, now).filter((days) => days < engagement.window_days)
  const counted = ages.slice(0, max_count)
  const weight = (days: number) => (points < 0 ? 1 : 2 ** (-days / engagement.half_life_days))
  return { key, label, group, points: points * sum(counted.map(weight)), count: counted.length }
}

/** Returns ages in whole days; a time in the near future counts as today. */
function signalAges(signal: Signal, { lead, signals }: ScoringInput, now: Date): number[] {
  if (signal === 'unsubscribed') return lead.email_status === 'unsubscribed' ? [0] : []
  const times = signals.get(signal) ?? []
  return times.map((at) => Math.max(0, Math.floor((now.getTime() - at.getTime()) / dayMs)))
}

function sumByGroup(rules: readonly RulePoints[], caps: Readonly<Record<string, number>>) {
  const nonZero = rules.filter(({ points }) => points !== 0)
  const groups = Map.groupBy(
    nonZero.filter(({ points }) => points > 0),
    ({ group }) => group,
  )
  const totals = new Map([...groups].map(([group, members]) => [group, sum(members.map(({ points }) => points))]))
  const capOf = (group: string) => caps[group] ?? Number.POSITIVE_INFINITY
  const isCapped = ({ group, points }: RulePoints) => points > 0 && roundNoise(totals.get(group)!) > capOf(group)
  const negative = nonZero.map(({ points }) => Math.min(points, 0))
  const positive = [...totals].map(([group, total]) => Math.min(total, capOf(group)))
  return { points: sum([...positive, ...negative]), reasons: nonZero.map((rule) => toReason(rule, isCapped(rule))) }
}

const toReason = ({ key, label, group, points, count }: RulePoints, capped: boolean): ScoreReason => ({
  rule_key: key,
  label,
  group,
  count,
  capped,
  points: Math.round(roundNoise(points) * 100) / 100,
})

const gradeOf = (score: number, { a, b }: ScoringConfig['grade_thresholds']): Scores['grade'] =>
  score >= a ? 'A' : score >= b ? 'B' : 'C'

const toScore = (points: number): number => Math.min(100, Math.max(0, Math.floor(roundNoise(points) + 0.5)))

/** Removes floating-point noise, so that a sum of 10.5 is rounded up. */
const roundNoise = (points: number): number => Number(points.toFixed(9))

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

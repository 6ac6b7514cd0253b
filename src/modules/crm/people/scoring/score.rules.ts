import type { InputError } from '#platform/errors'
import {
  type FieldCatalogue,
  matchesRule,
  parseRule,
  type Rule,
  type RuleContext,
  type RuleRecord,
  type RuleVocabulary,
} from '#platform/rules'
import { stageRank } from '../../records/person-keys/lifecycle.rules.ts'
import { leadFields } from '../lead-records/lead-fields.ts'
import type { ScoreReason } from '../lead-records/leads.schemas.ts'
import type { EngagementRule, FitRule, Scores, ScoringConfig } from './scoring.schemas.ts'
import type { Signal } from './signals.rules.ts'

/** A config with parsed rules. A rule that is not valid any more, because its field was removed, gives no points. */
export type ParsedScoringConfig = {
  config: ScoringConfig
  fitRules: readonly { rule: FitRule; when: Rule | undefined }[]
}

/** Fields that scoring changes; a rule on them would make a score depend on itself. */
const scoringOutputs = ['score', 'fit_score', 'engagement_score', 'grade', 'lifecycle_stage', 'mql_at', 'updated_at']

const scoringFields: FieldCatalogue = {
  ...Object.fromEntries(Object.entries(leadFields).filter(([key]) => !scoringOutputs.includes(key))),
  // A reference instead of a user: scoring runs without a caller, so `is_me` has no meaning.
  owner_id: { type: 'reference', column: 'owner_id' },
}

const scoringVocabulary = (currency: string, customFields: FieldCatalogue): RuleVocabulary => ({
  objectType: 'lead',
  fields: { ...scoringFields, ...customFields },
  currency,
})

export function parseScoringConfig(
  config: ScoringConfig,
  currency: string,
  customFields: FieldCatalogue = {},
): ParsedScoringConfig {
  const vocabulary = scoringVocabulary(currency, customFields)
  const fitRules = config.fit.rules.map((rule) => {
    const parsed = parseRule(rule.when, vocabulary)
    return { rule, when: 'rule' in parsed ? parsed.rule : undefined }
  })
  return { config, fitRules }
}

type Problem = Omit<InputError, 'in'>

const maxProblems = 100

export function findConfigProblems(
  config: ScoringConfig,
  currency: string,
  customFields: FieldCatalogue = {},
): Problem[] {
  return [
    ...findNumberProblems(config),
    ...findDuplicateKeys(config),
    ...findUnknownGroups(config, 'fit'),
    ...findUnknownGroups(config, 'engagement'),
    ...findConditionProblems(config, scoringVocabulary(currency, customFields)),
  ].slice(0, maxProblems)
}

function findNumberProblems({ grade_thresholds: { a, b }, weights }: ScoringConfig): Problem[] {
  const problems: Problem[] = []
  if (b >= a) problems.push({ path: '/grade_thresholds/b', code: 'order', message: '`b` must be lower than `a`.' })
  const total = weights.fit + weights.engagement
  // 1e-9 allows for floating-point error.
  if (Math.abs(total - 1) > 0.001 + 1e-9) {
    const message = `\`weights\` must add up to 1 (they add up to ${Number(total.toFixed(4))}).`
    problems.push({ path: '/weights', code: 'sum', message })
  }
  return problems
}

function findDuplicateKeys({ fit, engagement }: ScoringConfig): Problem[] {
  const keys = new Set<string>()
  const isDuplicate = (key: string) => keys.size === keys.add(key).size
  const findIn = (part: string, rules: readonly { key: string }[]) =>
    rules.flatMap(({ key }, index): Problem[] => {
      if (!isDuplicate(key)) return []
      const message = `\`key\` must be unique; "${key}" is used by another rule.`
      return [{ path: `/${part}/rules/${index}/key`, code: 'duplicate', message }]
    })
  return [...findIn('fit', fit.rules), ...findIn('engagement', engagement.rules)]
}

function findUnknownGroups(config: ScoringConfig, part: 'fit' | 'engagement'): Problem[] {
  const { rules, group_caps } = config[part]
  return rules.flatMap(({ group, points }, index) => {
    if (Object.hasOwn(group_caps, group) || (group === 'negative' && points < 0)) return []
    const message = `Group "${group}" is not in \`group_caps\`. Add it there or use an existing group.`
    return [{ path: `/${part}/rules/${index}/group`, code: 'unknown_group', message }]
  })
}

function findConditionProblems({ fit }: ScoringConfig, vocabulary: RuleVocabulary): Problem[] {
  return fit.rules.flatMap(({ when }, index) => {
    const parsed = parseRule(when, vocabulary)
    const problems = 'problems' in parsed ? parsed.problems : []
    return problems.map((problem) => ({ ...problem, path: `/fit/rules/${index}/when${problem.path}` }))
  })
}

const inputsOf: Readonly<Record<string, readonly string[]>> = {
  name: ['first_name', 'last_name'],
  email_kind: ['email'],
  email_status: ['email'],
  company_domain: ['website', 'email'],
  call_status: ['phone', 'country'],
  assigned_at: ['owner_id'],
  disqualify_reason: ['status', 'disqualify_reason'],
  sql_at: ['status', 'lifecycle_stage'],
}

export function isScoringField({ fit, engagement }: ScoringConfig, field: string): boolean {
  // The new email address may be unsubscribed.
  if (field === 'email' && engagement.rules.some(({ signal }) => signal === 'unsubscribed')) return true
  const ruleFields = fit.rules.flatMap(listRuleFields)
  return ruleFields.some((key) => (inputsOf[key] ?? [key.split('.', 1)[0]]).includes(field))
}

export const listRuleFields = ({ when }: Pick<FitRule, 'when'>): string[] => fieldsIn(when as RuleNode)

type RuleNode = { field?: string; not?: RuleNode; all?: RuleNode[]; any?: RuleNode[] }

const fieldsIn = ({ field, not, all = [], any = [] }: RuleNode): string[] => [
  ...(field === undefined ? [] : [field]),
  ...[...(not ? [not] : []), ...all, ...any].flatMap(fieldsIn),
]

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

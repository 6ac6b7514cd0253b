import type { InputError } from '#platform/errors'
import type { FieldCatalogue, Rule, RuleVocabulary } from '#platform/rules'
import { parseRule } from '#platform/rules'
import { leadFields } from '../lead-records/lead-fields.ts'
import type { FitRule, ScoringConfig } from './scoring.schemas.ts'

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

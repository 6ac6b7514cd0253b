import type { InputError } from '#platform/errors'
import { leadFields } from '../leads/lead-fields.ts'
import { parseRule } from '../rules/parse-rule.rules.ts'
import type { Rule } from '../rules/rule.rules.ts'
import type { FieldCatalogue, Vocabulary } from '../rules/vocabulary.rules.ts'
import type { FitRule, ScoringConfig } from './scoring.schemas.ts'

/** A config ready to be asked. A rule that cannot be read any more, because its field is gone, gives nothing. */
export type ParsedConfig = {
  config: ScoringConfig
  fitRules: readonly { rule: FitRule; when: Rule | undefined }[]
}

/** A score that depended on itself, or on what it sets in motion, would never come to rest. */
const madeByScoring = ['score', 'fit_score', 'engagement_score', 'grade', 'lifecycle_stage', 'mql_at', 'updated_at']

const scoringFields: FieldCatalogue = {
  ...Object.fromEntries(Object.entries(leadFields).filter(([key]) => !madeByScoring.includes(key))),
  // Nobody asks, so nobody is "me".
  owner_id: { type: 'reference', column: 'owner_id' },
}

const vocabularyIn = (currency: string): Vocabulary => ({ objectType: 'lead', fields: scoringFields, currency })

export function parseConfig(config: ScoringConfig, currency: string): ParsedConfig {
  const vocabulary = vocabularyIn(currency)
  const fitRules = config.fit.rules.map((rule) => {
    const parsed = parseRule(rule.when, vocabulary)
    return { rule, when: 'rule' in parsed ? parsed.rule : undefined }
  })
  return { config, fitRules }
}

type Problem = Omit<InputError, 'in'>

/** Nobody reads further. */
const maxProblems = 100

/** What is wrong although each field is well formed, all at once. */
export function problemsInConfig(config: ScoringConfig, currency: string): Problem[] {
  return [
    ...problemsInNumbers(config),
    ...problemsInKeys(config),
    ...problemsInGroups(config, 'fit'),
    ...problemsInGroups(config, 'engagement'),
    ...problemsInConditions(config, currency),
  ].slice(0, maxProblems)
}

function problemsInNumbers({ grade_thresholds: { a, b }, weights }: ScoringConfig): Problem[] {
  const problems: Problem[] = []
  if (b >= a)
    problems.push(
      at('/grade_thresholds/b', 'order', 'The threshold of B is lower than that of A. Lower b, or raise a.'),
    )
  // The hair beyond a thousandth is what binary fractions add.
  if (Math.abs(weights.fit + weights.engagement - 1) > 0.001 + 1e-9)
    problems.push(at('/weights', 'sum', 'The weights add up to 1. Change one of them.'))
  return problems
}

function problemsInKeys({ fit, engagement }: ScoringConfig): Problem[] {
  const seen = new Set<string>()
  const isRepeated = (key: string) => seen.size === seen.add(key).size
  const within = (part: string, rules: readonly { key: string }[]) =>
    rules.flatMap(({ key }, index) =>
      isRepeated(key)
        ? [
            at(
              `/${part}/rules/${index}/key`,
              'duplicate',
              `There is another rule "${key}". Give each a key of its own.`,
            ),
          ]
        : [],
    )
  return [...within('fit', fit.rules), ...within('engagement', engagement.rules)]
}

function problemsInGroups(config: ScoringConfig, part: 'fit' | 'engagement'): Problem[] {
  const { rules, group_caps } = config[part]
  return rules.flatMap(({ group, points }, index) => {
    if (Object.hasOwn(group_caps, group) || (group === 'negative' && points < 0)) return []
    const message = `There is no group "${group}". Add it to group_caps, or name one that is there.`
    return [at(`/${part}/rules/${index}/group`, 'unknown_group', message)]
  })
}

function problemsInConditions({ fit }: ScoringConfig, currency: string): Problem[] {
  const vocabulary = vocabularyIn(currency)
  return fit.rules.flatMap(({ when }, index) => {
    const parsed = parseRule(when, vocabulary)
    const found = 'problems' in parsed ? parsed.problems : []
    return found.map((problem) => ({ ...problem, path: `/fit/rules/${index}/when${problem.path}` }))
  })
}

const at = (path: string, code: string, message: string): Problem => ({ path, code, message })

/** What people change, and what is made of it. */
const madeFrom: Readonly<Record<string, readonly string[]>> = {
  name: ['first_name', 'last_name'],
  email_kind: ['email'],
  email_status: ['email'],
  company_domain: ['website', 'email'],
  call_status: ['phone', 'country'],
  assigned_at: ['owner_id'],
  disqualify_reason: ['status', 'disqualify_reason'],
  sql_at: ['status', 'lifecycle_stage'],
}

/** Whether a change of this field can move the score. */
export function isScoringField({ fit, engagement }: ScoringConfig, field: string): boolean {
  // Another address may be one that nothing may be sent to.
  if (field === 'email' && engagement.rules.some(({ signal }) => signal === 'unsubscribed')) return true
  const asked = fit.rules.flatMap(({ when }) => fieldsIn(when as Node))
  return asked.some((key) => (madeFrom[key] ?? [key.split('.', 1)[0]]).includes(field))
}

type Node = { field?: string; not?: Node; all?: Node[]; any?: Node[] }

const fieldsIn = ({ field, not, all = [], any = [] }: Node): string[] => [
  ...(field === undefined ? [] : [field]),
  ...[...(not ? [not] : []), ...all, ...any].flatMap(fieldsIn),
]

import type { TenantTx } from '#platform/db'
import type { FactScope, NestedRule, RuleProblem } from '#platform/module'
import { invalidRule, parseRule, type RuleLocation } from './parse-rule.rules.ts'
import { type FactLeaf, leavesOf, type Rule } from './rule.rules.ts'
import type { RuleVocabulary } from './vocabulary.rules.ts'

const maxNestedConditions = 200

export type RuleNesting = {
  /** Reads all fields and facts, for nested rules. */
  readVocabulary(): Promise<RuleVocabulary>
  objectType: string
  /** Ids of the records whose rules are nested around this one, outermost first. */
  within?: readonly string[]
}

type ResolveState = RuleNesting & { problems: RuleProblem[]; within: readonly string[]; nested: { conditions: number } }

/** Checks the facts of a rule against the workspace and replaces those that stand for another rule. */
export async function resolveFacts(tx: TenantTx, rule: Rule, at: RuleLocation, nesting: RuleNesting): Promise<Rule> {
  const state: ResolveState = { within: [], ...nesting, problems: [], nested: { conditions: 0 } }
  const resolved = await resolveRule(tx, rule, state)
  if (state.problems.length) throw invalidRule(state.problems, at)
  return resolved
}

async function resolveRule(tx: TenantTx, rule: Rule, state: ResolveState): Promise<Rule> {
  switch (rule.kind) {
    case 'all':
    case 'any': {
      const parts: Rule[] = []
      for (const part of rule.parts) parts.push(await resolveRule(tx, part, state))
      return { ...rule, parts }
    }
    case 'not':
      return { ...rule, part: await resolveRule(tx, rule.part, state) }
    case 'fact':
      return await resolveFact(tx, rule, state)
    case 'field':
      return rule
  }
}

async function resolveFact(tx: TenantTx, leaf: FactLeaf, state: ResolveState): Promise<Rule> {
  const { objectType, within, problems } = state
  const report = (pointer: string, code: string, message: string) => {
    problems.push({ path: leaf.path + pointer, code, message })
    return undefined
  }
  const nest: FactScope['nest'] = (id, rule) => resolveNested(tx, rule, { ...state, within: [...within, id] })
  const params = await leaf.fact.resolve?.(tx, leaf.params as never, report, { objectType, within, nest })
  if (params && 'nestedRule' in params) return params.nestedRule as Rule
  return { ...leaf, params: params ?? leaf.params }
}

async function resolveNested(
  tx: TenantTx,
  input: unknown,
  outer: ResolveState,
): Promise<NestedRule | { problems: RuleProblem[] }> {
  const parsed = parseRule(input, await outer.readVocabulary())
  if ('problems' in parsed) return parsed
  outer.nested.conditions += leavesOf(parsed.rule).length
  if (outer.nested.conditions > maxNestedConditions) {
    const message = `Nested rules must not have more than ${maxNestedConditions} conditions together.`
    return { problems: [{ path: '', code: 'too_many', message }] }
  }
  const problems: RuleProblem[] = []
  const nestedRule = await resolveRule(tx, parsed.rule, { ...outer, problems })
  return problems.length ? { problems } : { nestedRule }
}

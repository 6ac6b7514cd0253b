import type { TenantTx } from '#platform/db'
import { invalidRule, type RuleLocation, type RuleProblem } from './parse-rule.rules.ts'
import type { FactLeaf, Rule } from './rule.rules.ts'

export async function resolveFacts(tx: TenantTx, rule: Rule, at: RuleLocation): Promise<Rule> {
  const problems: RuleProblem[] = []
  const resolved = await resolveRule(tx, rule, problems)
  if (problems.length) throw invalidRule(problems, at)
  return resolved
}

async function resolveRule(tx: TenantTx, rule: Rule, problems: RuleProblem[]): Promise<Rule> {
  switch (rule.kind) {
    case 'all':
    case 'any': {
      const parts: Rule[] = []
      for (const part of rule.parts) parts.push(await resolveRule(tx, part, problems))
      return { ...rule, parts }
    }
    case 'not':
      return { ...rule, part: await resolveRule(tx, rule.part, problems) }
    case 'fact':
      return await resolveFact(tx, rule, problems)
    case 'field':
      return rule
  }
}

async function resolveFact(tx: TenantTx, leaf: FactLeaf, problems: RuleProblem[]): Promise<FactLeaf> {
  const params = await leaf.fact.resolve?.(tx, leaf.params as never, (pointer, code, message) => {
    problems.push({ path: leaf.path + pointer, code, message })
    return undefined
  })
  return { ...leaf, params: params ?? leaf.params }
}

import type { RecordRule } from '#modules/crm'
import { leavesOf, type RuleInput } from '#platform/rules'

type Part = { path: string; rule: RecordRule }

/** The conditions of the top level with their JSON pointers; the whole rule if it is not a group. */
export function partsOf(input: RuleInput, { objectType, rule }: RecordRule): Part[] {
  const kind = 'all' in input ? 'all' : 'any' in input ? 'any' : undefined
  if (!kind || rule.kind !== kind) return [{ path: '', rule: { objectType, rule } }]
  return rule.parts.map((part, index) => ({ path: `/${kind}/${index}`, rule: { objectType, rule: part } }))
}

/** A part of a text cannot be looked up in an index. */
export const hasTextScan = ({ rule }: RecordRule): boolean =>
  leavesOf(rule).some((leaf) => leaf.kind === 'field' && ['contains', 'has_any_phrase'].includes(leaf.predicate.type))

export const toCount = (matching: number, maxCount: number) => ({
  count: Math.min(matching, maxCount),
  count_relation: matching > maxCount ? ('gte' as const) : ('eq' as const),
})

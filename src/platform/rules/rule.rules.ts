import { addDays, dayInTimezone, toInstantRange } from '#platform/calendar'
import type { RuleFact } from '#platform/module'
import type { RuleContext, RuleField } from './vocabulary.rules.ts'

export type Rule = { kind: 'all' | 'any'; parts: readonly Rule[] } | { kind: 'not'; part: Rule } | FieldLeaf | FactLeaf

export type FieldLeaf = {
  kind: 'field'
  key: string
  field: RuleField
  predicate: FieldPredicate
  isNegative: boolean
}
export type FactLeaf = { kind: 'fact'; fact: RuleFact; params: object; path: string }

/** A record without a value never satisfies a predicate; `isNegative` inverts the result afterwards. */
export type FieldPredicate =
  | { type: 'is_set' }
  | { type: 'is_true' }
  | { type: 'is_me' }
  | { type: 'is_one_of'; values: readonly string[] }
  | { type: 'starts_with' | 'contains'; text: string }
  | { type: 'has_any_phrase'; phrases: readonly string[] }
  | { type: 'within_bounds'; bounds: readonly Bound[] }
  | ({ type: 'on_days' } & DaySpan)
  | { type: 'contains_values'; values: readonly string[]; needsAll: boolean }

export type PredicateOf<Type extends FieldPredicate['type']> = FieldPredicate & { type: Type }

export type ComparisonOperator = '=' | '>' | '>=' | '<' | '<='
export type Bound = { operator: ComparisonOperator; value: number }

export type RuleDay = string | { daysFromToday: number }

export type DaySpan = { from?: RuleDay; through?: RuleDay }

export function leavesOf(rule: Rule): (FieldLeaf | FactLeaf)[] {
  switch (rule.kind) {
    case 'all':
    case 'any':
      return rule.parts.flatMap(leavesOf)
    case 'not':
      return leavesOf(rule.part)
    default:
      return [rule]
  }
}

export function toCalendarDays({ from, through }: DaySpan, { now, timezone }: RuleContext) {
  const today = dayInTimezone(now, timezone)
  const resolve = (day: RuleDay) => (typeof day === 'string' ? day : addDays(today, day.daysFromToday))
  return { from: from && resolve(from), through: through && resolve(through) }
}

export const toInstants = (span: DaySpan, context: RuleContext) =>
  toInstantRange(toCalendarDays(span, context), context.timezone)

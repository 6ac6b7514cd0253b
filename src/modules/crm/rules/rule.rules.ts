import type { RuleFact } from '#platform/module'
import type { Field } from './vocabulary.rules.ts'

/** A rule that has been checked: it can be asked of a record in memory, or of a table in SQL. */
export type Rule = { kind: 'all' | 'any'; parts: readonly Rule[] } | { kind: 'not'; part: Rule } | FieldLeaf | FactLeaf

export type FieldLeaf = { kind: 'field'; key: string; field: Field; test: Test; isNegative: boolean }
export type FactLeaf = { kind: 'fact'; fact: RuleFact; params: object }

/** What a value is asked. A record without the value never passes; `isNegative` turns the answer round. */
export type Test =
  | { asks: 'is_set' }
  | { asks: 'is_true' }
  | { asks: 'is_me' }
  | { asks: 'is_one_of'; values: readonly string[] }
  | { asks: 'starts_with' | 'contains'; text: string }
  | { asks: 'has_phrase'; phrases: readonly string[] }
  | { asks: 'compares'; bounds: readonly Bound[] }
  | { asks: 'falls_on'; from?: Day; through?: Day }
  | { asks: 'carries'; values: readonly string[]; every: boolean }

export type Comparison = '=' | '>' | '>=' | '<' | '<='
export type Bound = { is: Comparison; than: number }

/** A calendar day, or a number of days from the day it is when the rule is asked. */
export type Day = string | { daysFromToday: number }

/** What a rule is made of, for those who need to know which fields and facts it depends on. */
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

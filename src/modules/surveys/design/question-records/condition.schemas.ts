import { Type } from 'typebox'
import { named } from '#platform/schema'

export const comparisonOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const
export const choiceOperators = ['eq', 'ne', 'in', 'not_in'] as const
export const listOperators = ['contains_any', 'contains_all', 'contains_none'] as const
export const presenceOperators = ['answered', 'not_answered'] as const

export type Operator =
  | (typeof comparisonOperators)[number]
  | (typeof choiceOperators)[number]
  | (typeof listOperators)[number]
  | (typeof presenceOperators)[number]

export type ConditionLeaf = { question: string; op: Operator; value?: unknown }
export type Condition = { all: Condition[] } | { any: Condition[] } | ConditionLeaf

export const maxConditionDepth = 3
export const maxConditionLeaves = 20

/** Accepts any object, because the parser reports each problem once; a recursive union would report a dozen. */
export const ConditionDocument = named(
  'SurveyCondition',
  Type.Unsafe<Condition>({
    type: 'object',
    additionalProperties: true,
    description: [
      'One of `{"all": [condition, …]}`, `{"any": [condition, …]}` and `{"question": key, "op", "value"}`.',
      `Groups can be nested ${maxConditionDepth} levels deep, with ${maxConditionLeaves} comparisons.`,
      '`op`: `answered`, `not_answered` for every type; `eq`, `ne`, `gt`, `gte`, `lt`, `lte` for numbers, scores and dates;',
      '`eq`, `ne`, `in`, `not_in` for single choices and yes/no; `contains_any`, `contains_all`, `contains_none` for multiple choices.',
      'A question without an answer, or one that is not shown, satisfies only `not_answered`.',
    ].join(' '),
    examples: [{ question: 'score', op: 'lte', value: 6 }],
  }),
)

import { Type } from 'typebox'
import { named } from '#platform/schema'

/** A rule as it is written down. What it may say depends on the kind of record; `parseRule` judges it. */
export type WrittenRule =
  | { all: WrittenRule[] }
  | { any: WrittenRule[] }
  | { not: WrittenRule }
  | { field: string; op: string; value?: unknown }
  | { fact: string; [parameter: string]: unknown }

/**
 * Any object: a schema of five kinds of node inside each other would answer one mistake with a dozen sentences, and could
 * not know the fields. The parser names every problem once, with its pointer.
 */
export const RuleDocument = named(
  'Rule',
  Type.Unsafe<WrittenRule>({
    type: 'object',
    additionalProperties: true,
    description: [
      'Which records are meant. A rule is one of `{"all": [rule, …]}`, `{"any": [rule, …]}`, `{"not": rule}`,',
      '`{"field", "op", "value"}` or `{"fact", …}` with the parameters of the fact beside its name.',
      'Groups nest five deep; a rule has at most 50 conditions, 10 of them facts.',
      'An empty `all` means every record. Text is compared without regard to case, days are days in the time zone of the workspace.',
      'A record without a value meets no condition except the negative ones: `neq`, `not_in`, `not_contains`, `contains_none`, `is_not_set`.',
    ].join(' '),
    examples: [
      {
        all: [{ not: { field: 'industry', op: 'eq', value: 'software' } }, { field: 'score', op: 'gte', value: 50 }],
      },
    ],
  }),
)

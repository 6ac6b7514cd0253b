import { Type } from 'typebox'
import { named } from '#platform/schema'

export type RuleInput =
  | { all: RuleInput[] }
  | { any: RuleInput[] }
  | { not: RuleInput }
  | { field: string; op: string; value?: unknown }
  | { fact: string; [parameter: string]: unknown }

/** Accepts any object: a recursive union reports a dozen errors for one mistake, while the parser reports each problem once. */
export const RuleDocument = named(
  'Rule',
  Type.Unsafe<RuleInput>({
    type: 'object',
    additionalProperties: true,
    description: [
      'Selects records. A rule is one of `{"all": [rule, …]}`, `{"any": [rule, …]}`, `{"not": rule}`,',
      '`{"field", "op", "value"}` and `{"fact", …}` with the parameters of the fact.',
      'Groups can be nested five levels deep; a rule can have 50 conditions, including 10 facts.',
      'The fact `activity` counts the activities of the record: `types`, and optionally `direction`, `min` (default 1), `max` and',
      '`within_days`. The fact `opportunity` finds a deal of a contact or account by any of `kinds`, `min_amount` in the base',
      'currency, `stage_keys` and `within_days` (since it was closed, otherwise created).',
      'The fact `segment` matches the members of `segment_id`, a segment of the same object type.',
      'An empty `all` matches every record. Text is compared case-insensitively; days are in the time zone of the workspace.',
      'A record without a value matches only negative operators: `neq`, `not_in`, `not_contains`, `contains_none`, `is_not_set`.',
    ].join(' '),
    examples: [
      {
        all: [{ not: { field: 'industry', op: 'eq', value: 'software' } }, { field: 'score', op: 'gte', value: 50 }],
      },
    ],
  }),
)

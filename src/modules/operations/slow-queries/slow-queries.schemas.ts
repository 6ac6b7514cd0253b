import { type Static, Type } from 'typebox'
import { named, nullable, strict, Timestamp } from '#platform/schema'

const Milliseconds = Type.Number({ minimum: 0 })
const Rate = Type.Number({ minimum: 0, maximum: 1 })

export const SlowQueriesQuery = strict({
  sort: Type.Enum(['total', 'mean', 'calls'], {
    default: 'total',
    description: 'Order of the statements: total time, mean time or number of calls, highest first.',
  }),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 50 }),
})
export type SlowQueriesQuery = Static<typeof SlowQueriesQuery>

const Statement = strict({
  query_id: Type.String(),
  query: Type.String({ description: 'Text of the statement with `$1`, `$2` instead of values.' }),
  calls: Type.Integer(),
  total_ms: Milliseconds,
  mean_ms: Milliseconds,
  max_ms: Milliseconds,
  rows: Type.Integer(),
  cache_hit_rate: nullable(Rate),
  share_rate: { ...Rate, description: 'Share of the total time of all statements.' },
})
export type Statement = Static<typeof Statement>

const Sample = strict({
  operation: Type.String({ examples: ['select crm.leads'] }),
  duration_ms: Milliseconds,
  rows: Type.Integer(),
  occurred_at: Timestamp,
  request_id: nullable(Type.String()),
})

export const SlowQueries = named(
  'SlowQueries',
  strict({
    available: Type.Boolean({ description: 'False if the server does not collect statement statistics.' }),
    reason: nullable(Type.String({ description: 'Why the statistics are not available.' })),
    since: nullable(Timestamp),
    statements: Type.Array(Statement),
    samples: Type.Array(Sample, {
      description: 'The last 50 statements of this workspace that took more than half a second.',
    }),
  }),
)

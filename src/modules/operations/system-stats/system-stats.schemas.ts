import { type Static, Type } from 'typebox'
import { CalendarDay, named, nullable, strict, Timestamp } from '#platform/schema'

const Count = Type.Integer({ minimum: 0 })
const CappedCount = strict({
  count: Count,
  relation: Type.Enum(['eq', 'gte'], { description: '`gte` if there are more than 10,000 records.' }),
})
const Counts = Type.Record(Type.String(), Count)

export const SystemStats = named(
  'SystemStats',
  strict({
    as_of: Timestamp,
    records: Type.Record(Type.String(), CappedCount, {
      description: 'Number of records per table, such as `crm.leads`, without private practice.',
    }),
    users: strict({
      by_status: Counts,
      by_role: Counts,
      active_24h: Count,
      active_30d: Count,
    }),
    sessions_live: Count,
    api_keys_live: Count,
    storage: strict({ files: Count, bytes: Count }),
    usage_30d: Type.Array(
      strict({
        on: CalendarDay,
        api_requests: Count,
        api_errors: Type.Integer({ minimum: 0, description: 'Responses with a status of 500 and above.' }),
        emails_sent: Count,
        ai_tokens: Count,
      }),
      { description: 'Days in the time zone of the workspace, oldest first. Days without usage are left out.' },
    ),
    jobs_24h: strict({ succeeded: Count, failed: Count }),
    process: strict({
      uptime_seconds: Count,
      rss_bytes: Count,
      event_loop_p99_ms: Type.Number({ minimum: 0 }),
      node_version: Type.String({ examples: ['v24.4.0'] }),
    }),
    database: strict({
      size_bytes: Count,
      cache_hit_rate: nullable(
        Type.Number({ minimum: 0, maximum: 1, description: 'Share of blocks found in memory.' }),
      ),
    }),
  }),
)
export type SystemStats = Static<typeof SystemStats>

import { type Static, Type } from 'typebox'
import { CalendarDay, Id, named, nullable, strict, Timestamp } from '#platform/schema'

const Count = Type.Integer({ minimum: 0 })
const text = nullable(Type.String())
const Rate = nullable(Type.Number({ minimum: 0, maximum: 1 }))
const average = nullable(Type.Number())

export const RoomScore = strict({
  value: nullable(Type.Integer({ minimum: 0, maximum: 100 })),
  band: Type.Enum(['hot', 'warm', 'cool', 'cold']),
  components: nullable(
    strict({ visitors: Type.Number(), seconds: Type.Number(), items: Type.Number(), recency: Type.Number() }),
  ),
})

export const RoomAnalyticsQuery = strict({
  days: Type.Integer({ minimum: 1, maximum: 365, default: 30 }),
  include_internal: Type.Boolean({
    default: false,
    description: 'All numbers include visits of users of the workspace, except the score.',
  }),
})
export type RoomAnalyticsQuery = Static<typeof RoomAnalyticsQuery>

export const RoomAnalytics = named(
  'RoomAnalytics',
  strict({
    totals: strict({
      visits: Count,
      visitors: Count,
      identified: Count,
      verified: Count,
      seconds: Count,
      average_seconds: average,
      item_views: Count,
      downloads: Count,
    }),
    score: RoomScore,
    by_day: Type.Array(
      strict({ day: CalendarDay, visits: Count, visitors: Count, seconds: Count, item_views: Count, downloads: Count }),
    ),
    visitors: Type.Array(
      strict({
        id: Id,
        email: text,
        name: text,
        identity: Type.Enum(['anonymous', 'claimed', 'verified']),
        contact_id: nullable(Id),
        visits: Count,
        seconds: Count,
        items_viewed: Count,
        last_seen_at: Timestamp,
        is_internal: Type.Boolean(),
      }),
      { description: 'The 200 visitors with the longest visits.' },
    ),
    items: Type.Array(
      strict({
        item_id: Id,
        title: Type.String(),
        views: Count,
        unique_visitors: Count,
        seconds: Count,
        average_seconds: average,
        completion_rate: Rate,
        downloads: Count,
      }),
    ),
    links: Type.Array(strict({ id: Id, label: text, visits: Count, visitors: Count })),
    funnel: strict({ links: Count, visited: Count, engaged: Count, returned: Count }),
    plan: strict({ progress_rate: Rate, overdue: Count }),
    internal: strict({ visits: Count, seconds: Count }),
    bots_filtered: Count,
  }),
)
export type RoomAnalytics = Static<typeof RoomAnalytics>

import { type Static, Type } from 'typebox'
import { Money } from '#platform/money'
import { Id, named, nullable, Reference, strict } from '#platform/schema'

const Count = Type.Integer({ minimum: 0 })
const Rate = nullable(Type.Number())

export const AnalyticsQuery = strict({
  days: Type.Integer({ minimum: 7, maximum: 365, default: 90, description: 'Number of days until today (UTC).' }),
  audience: Type.Enum(['all', 'internal', 'external'], { default: 'all' }),
})
export type AnalyticsQuery = Static<typeof AnalyticsQuery>

const Influence = strict({
  open: Count,
  won: Count,
  lost: Count,
  won_amount: Money,
  win_rate: Rate,
  wilson_low: nullable(Type.Number({ description: 'Lower bound of the win rate with 95 % confidence.' })),
  sample: Count,
  confidence: Type.Enum(['low', 'ok'], { description: '`low` with fewer than 20 closed deals.' }),
})

export const ContentAnalytics = named(
  'ContentAnalytics',
  strict({
    item_id: Id,
    days: Type.Integer(),
    audience: Type.Enum(['all', 'internal', 'external']),
    views: Count,
    measured_views: { ...Count, description: 'Views with at least one heartbeat.' },
    unique_viewers: Count,
    average_seconds: nullable(Type.Number()),
    median_seconds: nullable(Type.Number()),
    completion_rate: Rate,
    downloads: Count,
    public_downloads: { ...Count, description: 'Downloads without sign-in. They are not views.' },
    heat: Type.Number({ description: 'Sum of all views of a year; each counts half after 30 days.' }),
    views_28d: Count,
    views_prev_28d: Count,
    trend_rate: Type.Number(),
    decay: Type.Enum(['new', 'dormant', 'rising', 'falling', 'steady']),
    freshness_score: nullable(Type.Number()),
    is_stale: Type.Boolean(),
    influenced: {
      ...Influence,
      description: 'Deals whose buyers viewed the item in a room before the deal was closed.',
    },
    by_day: Type.Array(
      strict({
        day: Type.String({ format: 'date' }),
        views: Count,
        seconds: Count,
        completions: Count,
        downloads: Count,
      }),
    ),
    by_team: Type.Array(strict({ team_id: Id, name: Type.String(), viewers: Count, views: Count, seconds: Count })),
    by_room: Type.Array(strict({ room_id: Id, name: Type.String(), views: Count, seconds: Count })),
    top_viewers: nullable(
      Type.Array(strict({ user: Reference, views: Count, seconds: Count }), {
        description: 'The 20 users with the most views. Only for the owner and managers.',
      }),
    ),
    page_dropoff: Type.Array(
      strict({
        page: Type.Integer(),
        reach_rate: Type.Number({ description: 'Share of the measured views in which the page was read.' }),
        average_seconds: nullable(
          Type.Number({ description: 'Average of the views that read the page and reported seconds by page.' }),
        ),
      }),
    ),
    versions: Type.Array(strict({ version_no: nullable(Type.Integer()), views: Count })),
  }),
)
export type ContentAnalytics = Static<typeof ContentAnalytics>

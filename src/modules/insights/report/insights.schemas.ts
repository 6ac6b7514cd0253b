import { type Static, Type } from 'typebox'
import { Money } from '#platform/money'
import { Id, named, nullable, Reference, strict, Timestamp } from '#platform/schema'

const Count = Type.Integer({ minimum: 0 })
const Rate = nullable(Type.Number())
const ContentReference = strict({ id: Id, title: Type.String() })
const previous = {
  previous: { ...Count, description: 'The same number in the period before, which has the same length.' },
  trend_rate: nullable(Type.Number({ description: 'Change against the period before; null if that was 0.' })),
}

export const ContentWin = strict({
  item: ContentReference,
  won: Count,
  lost: Count,
  win_rate: Type.Number(),
  wilson_low: Type.Number({ description: 'Lower bound of the win rate with 95 % confidence.' }),
  baseline_win_rate: nullable(Type.Number({ description: 'Win rate of the other deals closed in the period.' })),
  lift: nullable(Type.Number({ description: 'Win rate minus the baseline. An association, not a cause.' })),
  won_amount: Money,
  confidence: Type.Enum(['low', 'ok'], { description: '`low` with fewer than 20 closed deals.' }),
})

export const CoverageGap = strict({
  stage: Type.String(),
  industry: Type.String(),
  open_count: Count,
  open_amount: Money,
  items: { ...Count, description: 'Published items for the stage, and for the industry or all industries.' },
  fresh_items: { ...Count, description: 'Those of them that are not due for review.' },
  severity: Type.Enum(['high', 'medium'], { description: '`high` without items, `medium` without fresh ones.' }),
})

const StaleContent = strict({
  item: ContentReference,
  owner: nullable({ ...Reference, description: 'For managers, admins, leads of a team of the owner, and the owner.' }),
  days_overdue: Count,
  heat: Type.Number(),
  in_active_rooms: Count,
})

const TeamUsage = strict({
  team: Reference,
  members: Count,
  active_users: Count,
  views: Count,
  room_placements: Count,
  external_visits: Count,
  learning_completion_rate: Rate,
  average_readiness: Rate,
})

const blocks = {
  adoption: strict({
    published: Count,
    used: { ...Count, description: 'Published items with a view or a placement in a room in the period.' },
    adoption_rate: Rate,
    active_sellers: Count,
    sellers: Count,
    rooms_created: Count,
    rooms_with_visits: Count,
    external_seconds: Count,
  }),
  coverage_gaps: Type.Array(CoverageGap),
  search_gaps: Type.Array(strict({ query: Type.String(), count: Count, last_at: Timestamp })),
  usage_by_team: Type.Array(TeamUsage),
  rooms: strict({
    created: Count,
    ...previous,
    with_visits: Count,
    external_visits: Count,
    external_seconds: Count,
    by_band: strict({ hot: Count, warm: Count, cool: Count, cold: Count }),
  }),
  learning: strict({
    completed: Count,
    ...previous,
    open: Count,
    overdue: Count,
    failed: Count,
    completion_rate: Rate,
    average_score: Rate,
  }),
  coaching: strict({ sessions: Count, ...previous, average_score: Rate, pass_rate: Rate }),
  pitch: strict({ submissions: Count, ...previous, average_score: Rate, overdue: Count }),
  experts: strict({
    requests: Count,
    ...previous,
    answered: Count,
    breach_rate: Rate,
    average_rating: Rate,
  }),
}

export const Insights = named(
  'EnablementInsights',
  strict({
    as_of: Timestamp,
    days: Type.Integer(),
    team_id: nullable(Id),
    period: strict({ from: Timestamp, to: Timestamp }),
    content_wins: Type.Array(ContentWin),
    stale_content: Type.Array(StaleContent),
    ...blocks,
  }),
)
export type Insights = Static<typeof Insights>

export const InsightsQuery = strict({
  days: Type.Integer({ minimum: 7, maximum: 365, default: 90, description: 'Number of days until now.' }),
  team_id: Type.Optional({ ...Id, description: 'Counts only what the members of the team did.' }),
})
export type InsightsQuery = Static<typeof InsightsQuery>

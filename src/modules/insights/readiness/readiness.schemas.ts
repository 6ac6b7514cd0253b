import { type Static, Type } from 'typebox'
import {
  CalendarDay,
  Id,
  listQuery,
  named,
  nullable,
  pageOf,
  Reference,
  Search,
  strict,
  Timestamp,
} from '#platform/schema'
import { gapKinds, levels } from './readiness.rules.ts'

const Count = Type.Integer({ minimum: 0 })
const Score = nullable(Type.Number({ description: 'From 0 to 100.' }))
const LevelField = Type.Enum([...levels], {
  description: '`ready` from 80, `developing` from 60, `at_risk` from 40 points; `unknown` without a score.',
})
const ByLevel = strict({ ready: Count, developing: Count, at_risk: Count, not_ready: Count, unknown: Count })

const ReadinessGap = strict({
  kind: Type.Enum([...gapKinds]),
  title: Type.String(),
  ref: nullable(strict({ type: Type.String(), id: Id })),
  due_on: nullable(CalendarDay),
  impact_points: Type.Number({ description: 'Points that the score gains when the gap is closed.' }),
})

export const ReadinessItem = named(
  'ReadinessItem',
  strict({
    user: Reference,
    score: Score,
    level: LevelField,
    coverage: Type.Number({ description: 'Share of the weights that the score is based on.' }),
    components: strict({ learning: Score, coaching: Score, pitch: Score, content: Score }),
    change_30d: nullable(Type.Number({ description: 'Change of the score in 30 days.' })),
    top_gap: nullable(ReadinessGap),
  }),
)
export type ReadinessItem = Static<typeof ReadinessItem>

const Team = strict({ team: Reference, members: Count, average: Score, by_level: ByLevel })
const Summary = strict({
  average: Score,
  median: Score,
  scored: { ...Count, description: 'Users with a score; the others do not count in the average.' },
  by_level: ByLevel,
  teams: Type.Array(Team),
})
export type ReadinessSummary = Static<typeof Summary>

const page = pageOf(ReadinessItem)
export const ReadinessList = strict({
  ...page.properties,
  as_of: {
    ...Timestamp,
    description: 'When the oldest score was calculated that order, `level` and summary use. Items are always current.',
  },
  summary: Summary,
})

const component = (inputs: Parameters<typeof strict>[0]) =>
  strict({ score: Score, weight: Type.Integer(), inputs: strict(inputs) })

export const ReadinessDetails = named(
  'SellerReadiness',
  strict({
    user: Reference,
    score: Score,
    level: LevelField,
    coverage: Type.Number(),
    components: strict({
      learning: component({
        enrollments: Count,
        overdue: { ...Count, description: 'Open and failed ones after their due date.' },
        quiz_scores: Count,
      }),
      coaching: component({ sessions: Count, target: Count }),
      pitch: component({ assigned: Count, submitted: Count, overdue: Count }),
      content: component({ items: Count, required: Count, required_read: Count, shares: Count }),
    }),
    gaps: Type.Array(ReadinessGap, { description: 'The largest gain first.' }),
    next_actions: Type.Array(ReadinessGap, { description: 'The first five gaps.' }),
    history: Type.Array(strict({ day: CalendarDay, score: Score }), { description: 'Scores of the last 90 days.' }),
    computed_at: Timestamp,
  }),
)
export type ReadinessDetails = Static<typeof ReadinessDetails>

export const sortNames = ['score', '-score', 'name'] as const

export const ReadinessQuery = listQuery({
  team_id: Type.Optional(Id),
  level: Type.Optional(Type.Enum([...levels])),
  search: Type.Optional(Search),
  sort: Type.Enum([...sortNames], { default: 'score', description: 'Users without a score come last.' }),
})
export type ReadinessQuery = Static<typeof ReadinessQuery>

export const ReadinessParams = strict({ user_id: Id })

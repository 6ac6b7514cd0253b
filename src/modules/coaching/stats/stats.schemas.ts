import { type Static, Type } from 'typebox'
import { Id, named, nullable, strict } from '#platform/schema'
import { scenarioTypes } from '../scenarios/scenarios.schemas.ts'

const count = Type.Integer({ minimum: 0 })
const average = nullable(Type.Number())

export const recommendationReasons = ['first_exercise', 'weakest_criterion', 'not_passed_yet'] as const

export const CoachingStats = named(
  'CoachingStats',
  strict({
    days: Type.Integer(),
    sessions: count,
    roleplays: count,
    human_sessions: count,
    minutes: count,
    average_score: average,
    best_score: nullable(Type.Integer()),
    pass_rate: nullable(Type.Number({ description: 'Share of the scored sessions that were passed, from 0 to 1.' })),
    trend: nullable(
      Type.Number({ description: 'Average of the last five scores minus the average of up to five before them.' }),
    ),
    streak_weeks: Type.Integer({ description: 'Consecutive weeks with a session, up to now.' }),
    by_type: Type.Array(strict({ type: Type.Enum([...scenarioTypes]), sessions: count, average_score: average })),
    by_criterion: Type.Array(strict({ name: Type.String(), average: Type.Number(), sessions: count })),
    strongest: nullable(Type.String({ description: 'Name of the criterion with the best average.' })),
    weakest: nullable(Type.String({ description: 'Name of the criterion with the worst average.' })),
    recommended_scenario: nullable(
      strict({ id: Id, title: Type.String(), reason: Type.Enum([...recommendationReasons]) }),
    ),
    open_action_items: count,
  }),
)
export type CoachingStats = Static<typeof CoachingStats>

export const StatsQuery = strict({
  days: Type.Integer({ minimum: 7, maximum: 365, default: 90, description: 'Length of the period up to now.' }),
})

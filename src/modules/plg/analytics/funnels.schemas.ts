import { type Static, Type } from 'typebox'
import { named, nullable, strict, Timestamp } from '#platform/schema'
import { Count, Rate } from './dashboard.schemas.ts'

export const ActorKindQuery = Type.Enum(['person', 'account'], { default: 'person' })

export const UsageFunnelQuery = strict({
  steps: Type.String({
    minLength: 3,
    maxLength: 1_100,
    description: 'Two to ten event names in their order, separated by commas. A name may be repeated.',
    examples: ['signed_up,project_created,invite_sent'],
  }),
  days: Type.Integer({ minimum: 1, maximum: 365, default: 30, description: 'Events of the last days, until now.' }),
  window_days: Type.Integer({
    minimum: 1,
    maximum: 90,
    default: 14,
    description: 'Days from the first step in which the others must follow.',
  }),
  actor: ActorKindQuery,
})
export type UsageFunnelQuery = Static<typeof UsageFunnelQuery>

const Seconds = nullable(Type.Number({ minimum: 0 }))

export const UsageFunnel = named(
  'UsageFunnel',
  strict({
    from_at: Timestamp,
    to_at: Timestamp,
    window_days: Type.Integer(),
    actor: Type.Enum(['person', 'account']),
    steps: Type.Array(
      strict({
        step: Type.Integer({ minimum: 1 }),
        name: Type.String(),
        known: Type.Boolean({ description: 'False if the workspace has never sent an event with this name.' }),
        count: Count,
        step_rate: { ...Rate, description: 'Share of those who reached the previous step.' },
        total_rate: { ...Rate, description: 'Share of those who reached the first step.' },
        dropped: { ...Count, description: 'Those who reached the previous step, but not this one.' },
        in_progress: { ...Count, description: 'Those who stopped here and still have time for the next step.' },
        median_seconds_from_previous: Seconds,
        median_seconds_from_start: Seconds,
      }),
      { maxItems: 10 },
    ),
    total_conversion_rate: Rate,
  }),
)
export type UsageFunnel = Static<typeof UsageFunnel>

import { type Static, Type } from 'typebox'
import { CalendarDay, named, strict } from '#platform/schema'
import { EventName } from '../settings/plg-settings.schemas.ts'
import { Count, Rate } from './dashboard.schemas.ts'
import { ActorKindQuery } from './funnels.schemas.ts'

export const UsageRetentionQuery = strict({
  granularity: Type.Enum(['day', 'week', 'month'], { default: 'week' }),
  periods: Type.Integer({
    minimum: 2,
    maximum: 31,
    default: 8,
    description: 'Number of cohorts; at most 31 days, 26 weeks or 24 months.',
  }),
  event: Type.Optional({ ...EventName, description: 'Event that counts as a return; otherwise any activity does.' }),
  actor: ActorKindQuery,
})
export type UsageRetentionQuery = Static<typeof UsageRetentionQuery>

const Offset = Type.Integer({ minimum: 0 })

export const UsageRetention = named(
  'UsageRetention',
  strict({
    granularity: Type.Enum(['day', 'week', 'month']),
    timezone: Type.String(),
    cohorts: Type.Array(
      strict({
        start_on: CalendarDay,
        size: { ...Count, description: 'People or accounts that were first active in this period.' },
        cells: Type.Array(
          strict({
            offset: Offset,
            count: Count,
            rate: Rate,
            complete: Type.Boolean({ description: 'False if the period is not over.' }),
          }),
          { maxItems: 31 },
        ),
      }),
      { maxItems: 31 },
    ),
    average: Type.Array(strict({ offset: Offset, rate: Rate }), { maxItems: 31 }),
  }),
)
export type UsageRetention = Static<typeof UsageRetention>

import { type Static, Type } from 'typebox'
import { Id, nullable, strict } from '#platform/schema'
import { cadencePauseReasons } from '../cadences/cadence-records/cadences.queries.ts'

export const maxHomeItems = 6
export const maxCounted = 10_000

const count = (description: string) => Type.Integer({ minimum: 0, description })

const HomeCampaign = strict({
  id: Id,
  name: Type.String({ description: 'Name of the campaign.' }),
  added_7d: count('Members that were added in the last seven days, at most 10,000.'),
  responded_7d: count('Members that responded in the last seven days, at most 10,000.'),
})

const HomeCadence = strict({
  id: Id,
  name: Type.String({ description: 'Name of the cadence.' }),
  live_count: count('Number of active and paused enrollments.'),
  paused_reason: nullable(
    Type.Enum([...cadencePauseReasons], { description: 'Why the system paused the cadence; null if it is active.' }),
  ),
})

export const HomeAudience = strict({
  campaigns: Type.Array(HomeCampaign, {
    maxItems: maxHomeItems,
    description: 'Active campaigns of the user, the latest start first.',
  }),
  cadences: Type.Array(HomeCadence, {
    maxItems: maxHomeItems,
    description: 'Cadences of the user that are active or that the system paused, the paused ones first.',
  }),
})
export type HomeAudience = Static<typeof HomeAudience>

import { type Static, Type } from 'typebox'
import {
  CalendarDay,
  clearable,
  Id,
  Line,
  listQuery,
  named,
  nullable,
  Reference,
  Search,
  strict,
  Timestamp,
  withExample,
} from '#platform/schema'

export const Topic = Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,59}$', maxLength: 60, examples: ['pricing'] })
const Language = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  maxLength: 35,
  examples: ['en'],
})

export const Expert = named(
  'Expert',
  strict({
    id: Id,
    user_id: Id,
    user: nullable(Reference),
    headline: nullable(Type.String()),
    bio: nullable(Type.String()),
    topics: Type.Array(Type.String()),
    languages: Type.Array(Type.String()),
    timezone: Type.String(),
    max_open: Type.Integer(),
    is_active: Type.Boolean(),
    out_until_on: nullable(CalendarDay),
    last_assigned_at: nullable(Timestamp),
    open_count: Type.Integer({ minimum: 0, description: 'Requests that are assigned or in progress.' }),
    is_available: Type.Boolean({ description: 'Active, not away, and with room for another request.' }),
    rating_average: nullable(Type.Number()),
    rating_count: Type.Integer({ minimum: 0 }),
    rank_score: Type.Number({ description: 'Average rating as if five ratings of 4 came first.' }),
    median_response_seconds: nullable(
      Type.Integer({ minimum: 0, description: 'Median time to the first response, of requests of the last 90 days.' }),
    ),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type Expert = Static<typeof Expert>

const Topics = Type.Array(Topic, { minItems: 1, maxItems: 20, uniqueItems: true })
const optionalFields = {
  headline: clearable(Line(120)),
  bio: clearable(Type.String({ maxLength: 2_000 })),
  languages: Type.Optional(Type.Array(Language, { maxItems: 20, uniqueItems: true })),
  timezone: Type.Optional({ ...Line(100), description: 'IANA time zone. Default: that of the workspace.' }),
  max_open: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 50, description: 'Requests at the same time. Default: 5.' }),
  ),
  is_active: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
  out_until_on: clearable({ ...CalendarDay, description: 'The last day of an absence.' }),
}

export const NewExpert = withExample(strict({ user_id: Id, topics: Topics, ...optionalFields }), {
  user_id: '01890a5d-ac96-774b-bcce-b302099a8057',
  topics: ['pricing'],
  headline: 'Prices and discounts',
})
export type NewExpert = Static<typeof NewExpert>

export const ExpertChanges = strict({ topics: Type.Optional(Topics), ...optionalFields })
export type ExpertChanges = Static<typeof ExpertChanges>

export const ExpertQuery = listQuery({
  topic: Type.Optional(Topic),
  active: Type.Boolean({ default: true, description: 'Whether active or inactive experts are listed.' }),
  search: Type.Optional(Search),
  language: Type.Optional(Language),
})
export type ExpertQuery = Static<typeof ExpertQuery>

export const ExpertParams = strict({ expert_id: Id })

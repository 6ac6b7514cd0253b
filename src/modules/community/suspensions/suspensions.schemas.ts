import { type Static, Type } from 'typebox'
import { Id, Line, listQuery, named, nullable, Reference, sortOrder, strict, Timestamp } from '#platform/schema'

export const CommunitySuspension = named(
  'CommunitySuspension',
  strict({
    user: { ...Reference, description: 'The suspended user.' },
    reason: Type.String(),
    ends_at: nullable(Timestamp),
    is_active: Type.Boolean(),
    suspended_by: nullable(Reference),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type CommunitySuspension = Static<typeof CommunitySuspension>

export const NewSuspension = strict({
  reason: { ...Line(500), description: 'The user reads it in the error of every rejected request.' },
  ends_at: Type.Optional({
    ...nullable(Timestamp),
    description: 'A time in the future. Without it, the suspension has no end.',
  }),
})
export type NewSuspension = Static<typeof NewSuspension>

export const SuspensionParams = strict({ user_id: Id })

export const SuspensionQuery = listQuery({ sort: sortOrder(['-created_at', 'created_at']) })
export type SuspensionQuery = Static<typeof SuspensionQuery>

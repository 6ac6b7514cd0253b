import { type Static, Type } from 'typebox'
import { Id, named, nullable, Reference, strict, Timestamp } from '#platform/schema'

export const decisions = ['approved', 'returned'] as const
export type Decision = (typeof decisions)[number]

export const ReviewScore = strict({
  key: Type.String(),
  score: Type.Number({ minimum: 0, maximum: 100 }),
  comment: nullable(Type.String()),
})
export type ReviewScore = Static<typeof ReviewScore>

export const PitchReview = named(
  'PitchReview',
  strict({
    id: Id,
    submission_id: Id,
    reviewer_id: nullable({ ...Id, description: 'Null after the user was erased.' }),
    reviewer: nullable(Reference),
    scores: Type.Array(ReviewScore),
    score: Type.Number({ description: 'Weighted average of the scores, not rounded.' }),
    decision: Type.Enum([...decisions]),
    comment: nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type PitchReview = Static<typeof PitchReview>

export const PitchComment = named(
  'PitchComment',
  strict({
    id: Id,
    submission_id: Id,
    author_id: nullable({ ...Id, description: 'Null after the user was erased.' }),
    author: nullable(Reference),
    parent_id: nullable({ ...Id, description: 'The comment that this one replies to.' }),
    at_seconds: nullable(Type.Number({ description: 'Time in the recording; null for the whole pitch.' })),
    body: Type.String(),
    created_at: Timestamp,
  }),
)
export type PitchComment = Static<typeof PitchComment>

import { type Static, Type } from 'typebox'
import { clearable, listQuery, sortOrder, strict, withExample } from '#platform/schema'
import { decisions } from '../submissions/feedback.schemas.ts'

export const NewReview = withExample(
  strict({
    scores: Type.Array(
      strict({
        key: Type.String({ minLength: 1, maxLength: 40, examples: ['next_step'] }),
        score: Type.Number({ minimum: 0, maximum: 100 }),
        comment: clearable(Type.String({ maxLength: 1_000 })),
      }),
      { minItems: 1, maxItems: 12, description: 'One score for every criterion of the submission.' },
    ),
    decision: Type.Enum([...decisions]),
    comment: clearable(Type.String({ maxLength: 4_000 })),
  }),
  { scores: [{ key: 'next_step', score: 80, comment: 'Clear and with a date.' }], decision: 'approved' },
)
export type NewReview = Static<typeof NewReview>

export const ReviewQueueQuery = listQuery({
  sort: sortOrder(['due_on', '-due_on'], 'Due date, then the time of submission.'),
  include_practice: Type.Optional(
    Type.Boolean({ description: 'Default: false. Also list practice whose author requests a review.' }),
  ),
})
export type ReviewQueueQuery = Static<typeof ReviewQueueQuery>

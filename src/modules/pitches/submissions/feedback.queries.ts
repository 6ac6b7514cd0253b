import { type Insertable, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import type { Decision, ReviewScore } from './feedback.schemas.ts'

export const reviewColumns = [
  'id',
  'submission_id',
  'reviewer_id',
  'scores',
  'score',
  'decision',
  'comment',
  'created_at',
  'updated_at',
  'version',
] as const
export type ReviewRow = {
  id: string
  submission_id: string
  reviewer_id: string | null
  scores: ReviewScore[]
  score: string
  decision: Decision
  comment: string | null
  created_at: Date
  updated_at: Date
  version: number
}

const commentColumns = ['id', 'submission_id', 'author_id', 'parent_id', 'at_seconds', 'body', 'created_at'] as const
export type CommentRow = {
  id: string
  submission_id: string
  author_id: string | null
  parent_id: string | null
  at_seconds: string | null
  body: string
  created_at: Date
}

export const listReviews = (tx: TenantTx, submissionId: string): Promise<ReviewRow[]> =>
  tx
    .selectFrom('enablement.pitch_reviews')
    .select(reviewColumns)
    .where('submission_id', '=', submissionId)
    .orderBy('id')
    .$castTo<ReviewRow>()
    .execute()

export const upsertReview = (
  tx: TenantTx,
  review: Insertable<Database['enablement.pitch_reviews']>,
): Promise<ReviewRow> =>
  tx
    .insertInto('enablement.pitch_reviews')
    .values(review)
    .onConflict((existing) =>
      existing.constraint('pitch_reviews_reviewer_unique').doUpdateSet(({ ref }) => ({
        scores: ref('excluded.scores'),
        score: ref('excluded.score'),
        decision: ref('excluded.decision'),
        comment: ref('excluded.comment'),
      })),
    )
    .returning(reviewColumns)
    .$castTo<ReviewRow>()
    .executeTakeFirstOrThrow()

/** Comments about the whole pitch come last. */
export const listComments = (tx: TenantTx, submissionId: string): Promise<CommentRow[]> =>
  tx
    .selectFrom('enablement.pitch_comments')
    .select(commentColumns)
    .where('submission_id', '=', submissionId)
    .orderBy('at_seconds')
    .orderBy('id')
    .$castTo<CommentRow>()
    .execute()

export const findComment = (tx: TenantTx, id: string): Promise<CommentRow | undefined> =>
  tx
    .selectFrom('enablement.pitch_comments')
    .select(commentColumns)
    .where('id', '=', id)
    .$castTo<CommentRow>()
    .executeTakeFirst()

export async function countComments(tx: TenantTx, submissionId: string): Promise<number> {
  const { comments } = await tx
    .selectFrom('enablement.pitch_comments')
    .select(sql<number>`count(*)::int`.as('comments'))
    .where('submission_id', '=', submissionId)
    .executeTakeFirstOrThrow()
  return comments
}

export const insertComment = (
  tx: TenantTx,
  comment: Insertable<Database['enablement.pitch_comments']>,
): Promise<CommentRow> =>
  tx
    .insertInto('enablement.pitch_comments')
    .values(comment)
    .returning(commentColumns)
    .$castTo<CommentRow>()
    .executeTakeFirstOrThrow()

export async function deleteFeedback(tx: TenantTx, submissionId: string): Promise<void> {
  await tx.deleteFrom('enablement.pitch_comments').where('submission_id', '=', submissionId).execute()
  await tx.deleteFrom('enablement.pitch_reviews').where('submission_id', '=', submissionId).execute()
}

import type { Routes } from '#platform/http'
import { pageOf } from '#platform/schema'
import { PitchReview } from '../submissions/feedback.schemas.ts'
import { SubmissionParams, SubmissionSummary } from '../submissions/submissions.schemas.ts'
import { listPitchReviewQueue } from './review-queue.service.ts'
import { NewReview, ReviewQueueQuery } from './reviews.schemas.ts'
import { reviewPitchSubmission } from './reviews.service.ts'

export const pitchReviewRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/enablement/pitch/review-queue',
    config: { scope: 'pitch.read' },
    schema: {
      operationId: 'listPitchReviewQueue',
      summary: 'List pitches to review',
      description:
        'Submitted pitches that the caller can review and has not reviewed yet, by due date and then by the time of submission.',
      querystring: ReviewQueueQuery,
      response: { 200: pageOf(SubmissionSummary) },
    },
    handler: (request) => request.inTenant((tx) => listPitchReviewQueue(tx, request.actor, request.query)),
  })

  app.route({
    method: 'POST',
    url: '/api/enablement/pitch/submissions/:submission_id/review',
    config: { scope: 'pitch.write', notWhileImpersonating: true },
    schema: {
      operationId: 'reviewPitchSubmission',
      summary: 'Review a pitch submission',
      description:
        'For the reviewers of the prompt; without any, for managers, admins and leads of a team of the author. Requires `decision` and a score for every criterion of the submission. A second review replaces the first. `returned` asks the author for another take; enough approvals complete the review.',
      params: SubmissionParams,
      body: NewReview,
      response: { 201: PitchReview },
    },
    handler: (request) =>
      request.inTenant((tx) => reviewPitchSubmission(tx, request.actor, request.params.submission_id, request.body)),
  })
}

import type { Routes } from '#platform/http'
import { PitchComment } from '../submissions/feedback.schemas.ts'
import { SubmissionParams } from '../submissions/submissions.schemas.ts'
import { NewComment } from './comments.schemas.ts'
import { createPitchComment } from './comments.service.ts'

export const pitchCommentRoutes: Routes = async (app) => {
  app.route({
    method: 'POST',
    url: '/api/enablement/pitch/submissions/:submission_id/comments',
    config: { scope: 'pitch.write', notWhileImpersonating: true },
    schema: {
      operationId: 'createPitchComment',
      summary: 'Create a comment on a pitch submission',
      description:
        'For the author, coaches and reviewers. Requires `body`. `at_seconds` must be within the recording; a reply with `parent_id` has the time of its parent unless it is given.',
      params: SubmissionParams,
      body: NewComment,
      response: { 201: PitchComment },
    },
    handler: (request) =>
      request.inTenant((tx) => createPitchComment(tx, request.actor, request.params.submission_id, request.body)),
  })
}

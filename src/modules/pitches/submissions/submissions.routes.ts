import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { PromptParams } from '../prompts/prompts.schemas.ts'
import { createPitchPractice, createPitchSubmission } from './create-submission.service.ts'
import { deletePitchSubmission } from './delete-submission.service.ts'
import { getPitchSubmission, listMyPitchSubmissions } from './read-submissions.service.ts'
import {
  MySubmissions,
  MySubmissionsQuery,
  NewPractice,
  NewTake,
  Submission,
  SubmissionChanges,
  SubmissionParams,
} from './submissions.schemas.ts'
import { updatePitchSubmission } from './update-submission.service.ts'

export const submissionRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enablement/pitch/my-submissions',
      config: { scope: 'pitch.read' },
      schema: {
        operationId: 'listMyPitchSubmissions',
        summary: 'List own pitch submissions',
        description: 'The newest submissions of the caller first, and the open assignments.',
        querystring: MySubmissionsQuery,
        response: { 200: MySubmissions },
      },
      handler: (request) => request.inTenant((tx) => listMyPitchSubmissions(tx, request.actor, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/pitch/practice',
      config: { scope: 'pitch.write', notWhileImpersonating: true },
      schema: {
        operationId: 'createPitchPractice',
        summary: 'Create a practice pitch',
        description:
          'Only the author sees it, unless `review_requested` is true. With a `transcript` it is submitted at once, otherwise after an upload. Without `prompt_id` it is scored by fillers, pace and next step.',
        body: NewPractice,
        response: { 201: Submission },
      },
      handler: (request) => request.inTenant((tx) => createPitchPractice(tx, services, request.actor, request.body)),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/pitch/prompts/:prompt_id/submissions',
      config: { scope: 'pitch.write', notWhileImpersonating: true },
      schema: {
        operationId: 'createPitchSubmission',
        summary: 'Create a pitch submission',
        description:
          'Starts the next take of an active prompt. With a `transcript` it is submitted at once, otherwise it is a draft until its upload; a user has one draft per prompt. The submission keeps the criteria of this moment.',
        params: PromptParams,
        body: NewTake,
        response: { 201: Submission },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          createPitchSubmission(tx, services, request.actor, request.params.prompt_id, request.body),
        ),
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/pitch/submissions/:submission_id',
      config: { scope: 'pitch.read' },
      schema: {
        operationId: 'getPitchSubmission',
        summary: 'Get a pitch submission',
        description:
          'For the author; unless it is private practice also for coaches of the author and reviewers of the prompt. Exemplars are shown to all users.',
        params: SubmissionParams,
        response: { 200: Submission },
      },
      handler: (request) =>
        request.inTenant((tx) => getPitchSubmission(tx, services, request.actor, request.params.submission_id)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/enablement/pitch/submissions/:submission_id',
      config: { scope: 'pitch.write', notWhileImpersonating: true },
      schema: {
        operationId: 'updatePitchSubmission',
        summary: 'Update a pitch submission',
        description:
          'The author sets `title`, `review_requested` (practice) and `exemplar_consent`; a coach of the author sets `is_exemplar`.',
        params: SubmissionParams,
        body: SubmissionChanges,
        response: { 200: Submission },
      },
      handler: (request) => {
        const input = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) =>
          updatePitchSubmission(tx, services, request.actor, request.params.submission_id, input),
        )
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/enablement/pitch/submissions/:submission_id',
      config: { scope: 'pitch.delete' },
      schema: {
        operationId: 'deletePitchSubmission',
        summary: 'Delete a pitch submission',
        description:
          'Deletes practice at any time, and a take as a draft or after it was returned; managers and admins delete every submission they see. The video is deleted at once. A deleted take still counts against `max_takes`.',
        params: SubmissionParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { clock: services.clock, expectedVersion: expectedVersion(request) }
        await request.inTenant((tx) => deletePitchSubmission(tx, request.actor, request.params.submission_id, options))
      },
    })
  }

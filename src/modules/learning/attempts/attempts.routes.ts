import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { EnrollmentModuleParams } from '../progress/enrollment.schemas.ts'
import { Attempt, AttemptParams, QuizOutcome, SavedAnswers, SubmittedAnswers } from './attempts.schemas.ts'
import { saveAnswers, startQuiz } from './attempts.service.ts'
import { submitQuiz } from './submit-quiz.service.ts'

const moduleUrl = '/api/enablement/learning/enrollments/:enrollment_id/modules/:module_id'

export const attemptRoutes =
  ({ clock }: Pick<Services, 'clock'>): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: `${moduleUrl}/start-quiz`,
      config: { scope: 'learning.write', notWhileImpersonating: true },
      schema: {
        operationId: 'startQuiz',
        summary: 'Start an attempt at a quiz',
        description:
          'For the learner. Draws the questions, fixes their order and begins the time limit. An open attempt is returned as it is, with the saved answers and status 200.',
        params: EnrollmentModuleParams,
        response: { 200: Attempt, 201: Attempt },
      },
      handler: (request, reply) =>
        request.inTenant(async (tx) => {
          const { enrollment_id: enrollmentId, module_id: moduleId } = request.params
          const ids = { enrollmentId, moduleId }
          const { attempt, isNew } = await startQuiz(tx, request.actor, ids, { now: clock.now() })
          reply.code(isNew ? 201 : 200)
          return attempt
        }),
    })

    app.route({
      method: 'PUT',
      url: `${moduleUrl}/attempts/:attempt_id/answers`,
      config: { scope: 'learning.write', notWhileImpersonating: true },
      schema: {
        operationId: 'replaceAnswers',
        summary: 'Save the answers of an attempt',
        description: 'Replaces the saved answers of an open attempt. They are graded when the time limit ends.',
        params: AttemptParams,
        body: SavedAnswers,
        response: { 200: Attempt },
      },
      handler: (request) => {
        const { enrollment_id: enrollmentId, module_id: moduleId, attempt_id: attemptId } = request.params
        const input = { answers: request.body.answers, now: clock.now() }
        return request.inTenant((tx) => saveAnswers(tx, request.actor, { enrollmentId, moduleId, attemptId }, input))
      },
    })

    app.route({
      method: 'POST',
      url: `${moduleUrl}/submit-quiz`,
      config: { scope: 'learning.write', notWhileImpersonating: true, successStatus: 200 },
      schema: {
        operationId: 'submitQuiz',
        summary: 'Submit a quiz',
        description:
          'For the learner; requires `answers`, and `attempt_id` if the quiz is timed or has drawn questions. The server grades the answers. What the response tells about them depends on the review policy of the quiz.',
        params: EnrollmentModuleParams,
        body: SubmittedAnswers,
        response: { 200: QuizOutcome },
      },
      handler: (request) => {
        const { enrollment_id: enrollmentId, module_id: moduleId } = request.params
        const input = { submitted: request.body, now: clock.now() }
        return request.inTenant((tx) => submitQuiz(tx, request.actor, { enrollmentId, moduleId }, input))
      },
    })
  }

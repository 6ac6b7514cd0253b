import { expectedVersion, type Routes, setAcceptedStatus } from '#platform/http'
import type { Services } from '#platform/module'
import { AcceptedTask, pageOf } from '#platform/schema'
import {
  EnrollmentDetails,
  EnrollmentModuleParams,
  EnrollmentParams,
  OwnEnrollment,
} from '../progress/enrollment.schemas.ts'
import { completeModule } from './complete-module.service.ts'
import { enrollInLearningPath } from './enroll.service.ts'
import {
  Completion,
  Enrolled,
  EnrollInput,
  EnrollmentChanges,
  EnrollParams,
  OwnEnrollmentQuery,
  PathEnrollmentQuery,
  PathEnrollments,
  Review,
} from './enrollments.schemas.ts'
import { getLearningEnrollment, listMyEnrollments, listPathEnrollments } from './enrollments.service.ts'
import { reviewModule } from './review-module.service.ts'
import { updateLearningEnrollment } from './update-enrollment.service.ts'

export const enrollmentRoutes =
  ({ clock }: Pick<Services, 'clock'>): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/enablement/learning/paths/:path_id/enroll',
      config: { scope: 'learning.write' },
      schema: {
        operationId: 'enrollInLearningPath',
        summary: 'Enroll users in a learning path',
        description:
          'An empty body enrolls the caller. `user_ids` and `team_ids` are for managers and admins, and for leads of the teams. Users with an open or a completed and valid enrollment are reported in `already`; after a failed, withdrawn or lapsed one a new cycle begins. Up to 200 users are enrolled before the response, more by a task.',
        params: EnrollParams,
        body: EnrollInput,
        response: { 200: Enrolled, 202: AcceptedTask },
      },
      handler: (request, reply) => {
        const input = { input: request.body, now: clock.now() }
        return request.inTenant(async (tx) =>
          setAcceptedStatus(reply, await enrollInLearningPath(tx, request.actor, request.params.path_id, input)),
        )
      },
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/learning/paths/:path_id/enrollments',
      config: { scope: 'learning.read' },
      schema: {
        operationId: 'listPathEnrollments',
        summary: 'List enrollments of a learning path',
        description: 'For the owner of the path, managers and admins. Leads get the members of their teams.',
        params: EnrollParams,
        querystring: PathEnrollmentQuery,
        response: { 200: PathEnrollments },
      },
      handler: (request) => {
        const input = { query: request.query, now: clock.now() }
        return request.inTenant((tx) => listPathEnrollments(tx, request.actor, request.params.path_id, input))
      },
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/learning/my-enrollments',
      config: { scope: 'learning.read' },
      schema: {
        operationId: 'listMyEnrollments',
        summary: 'List own enrollments',
        description: 'Open enrollments by due date, then the others, newest first.',
        querystring: OwnEnrollmentQuery,
        response: { 200: pageOf(OwnEnrollment) },
      },
      handler: (request) =>
        request.inTenant((tx) => listMyEnrollments(tx, request.actor, request.query, { now: clock.now() })),
    })

    app.route({
      method: 'GET',
      url: '/api/enablement/learning/enrollments/:enrollment_id',
      config: { scope: 'learning.read' },
      schema: {
        operationId: 'getLearningEnrollment',
        summary: 'Get an enrollment',
        description:
          'For the learner, coaches of the learner and the owner of the path. With the modules of the enrollment and what locks them. Quizzes without a time limit and without drawn questions have their questions, never the answers.',
        params: EnrollmentParams,
        response: { 200: EnrollmentDetails },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          getLearningEnrollment(tx, request.actor, request.params.enrollment_id, { now: clock.now() }),
        ),
    })

    app.route({
      method: 'PATCH',
      url: '/api/enablement/learning/enrollments/:enrollment_id',
      config: { scope: 'learning.write' },
      schema: {
        operationId: 'updateLearningEnrollment',
        summary: 'Update an enrollment',
        description:
          'Coaches change `due_on` and withdraw the enrollment. Learners withdraw enrollments that are not mandatory.',
        params: EnrollmentParams,
        body: EnrollmentChanges,
        response: { 200: EnrollmentDetails },
      },
      handler: (request) => {
        const input = { changes: request.body, expectedVersion: expectedVersion(request), now: clock.now() }
        return request.inTenant((tx) =>
          updateLearningEnrollment(tx, request.actor, request.params.enrollment_id, input),
        )
      },
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/learning/enrollments/:enrollment_id/complete-module',
      config: { scope: 'learning.write', notWhileImpersonating: true, successStatus: 200 },
      schema: {
        operationId: 'completeModule',
        summary: 'Complete a module',
        description:
          'For the learner; requires `module_id`. Content and videos need the tracked time and progress since the enrollment, roleplays and pitches a passed one, assignments a `submission`, which is then reviewed. A completed module stays as it is.',
        params: EnrollmentParams,
        body: Completion,
        response: { 200: EnrollmentDetails },
      },
      handler: (request) => {
        const input = { completion: request.body, now: clock.now() }
        return request.inTenant((tx) => completeModule(tx, request.actor, request.params.enrollment_id, input))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/learning/enrollments/:enrollment_id/modules/:module_id/review',
      config: { scope: 'learning.write', notWhileImpersonating: true, successStatus: 200 },
      schema: {
        operationId: 'reviewModule',
        summary: 'Review a module of an enrollment',
        description:
          'For coaches of the learner and the owner of the path, never for own enrollments. `pass` and `fail` decide about a submitted assignment, `waive` excuses a module, `reset` opens it again, for a quiz with `extra_attempts`.',
        params: EnrollmentModuleParams,
        body: Review,
        response: { 200: EnrollmentDetails },
      },
      handler: (request) => {
        const { enrollment_id: enrollmentId, module_id: moduleId } = request.params
        const input = { review: request.body, now: clock.now() }
        return request.inTenant((tx) => reviewModule(tx, request.actor, { enrollmentId, moduleId }, input))
      },
    })
  }

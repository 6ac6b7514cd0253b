import { type Routes, setAcceptedStatus } from '#platform/http'
import type { Services } from '#platform/module'
import { AcceptedTask, Id, pageOf, strict } from '#platform/schema'
import { enrollInCadence } from './enroll.service.ts'
import {
  CadenceEnrollment,
  EnrolledPersons,
  EnrollmentChanges,
  EnrollmentParams,
  EnrollmentQuery,
  NewEnrollments,
  PersonEnrollment,
  PersonEnrollmentQuery,
  ReassignedEnrollments,
  SenderReassignment,
} from './enrollments.schemas.ts'
import { listCadenceEnrollments } from './list-enrollments.service.ts'
import { listPersonEnrollments } from './list-person-enrollments.service.ts'
import { reassignCadenceEnrollments } from './reassign.service.ts'
import { updateCadenceEnrollment } from './update-enrollment.service.ts'

const CadenceParams = strict({ cadence_id: Id })

export const cadenceEnrollmentRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/cadences/:cadence_id/enrollments',
      config: { scope: 'cadences.read', scopes: ['leads.read', 'contacts.read'] },
      schema: {
        operationId: 'listCadenceEnrollments',
        summary: 'List enrollments of a cadence',
        description: 'Newest first.',
        params: CadenceParams,
        querystring: EnrollmentQuery,
        response: { 200: pageOf(CadenceEnrollment) },
      },
      handler: (request) =>
        request.inTenant((tx) => listCadenceEnrollments(tx, request.params.cadence_id, request.query)),
    })

    app.route({
      method: 'GET',
      url: '/api/cadences/enrollments',
      config: { scope: 'cadences.read', scopes: ['leads.read', 'contacts.read'] },
      schema: {
        operationId: 'listPersonEnrollments',
        summary: 'List enrollments of a person',
        description:
          'Requires exactly one of `lead_id` and `contact_id`. Newest first, ended enrollments included; `status=active,paused` ' +
          'lists those that can still send.',
        querystring: PersonEnrollmentQuery,
        response: { 200: pageOf(PersonEnrollment) },
      },
      handler: (request) => request.inTenant((tx) => listPersonEnrollments(tx, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/cadences/:cadence_id/enrollments',
      config: { scope: 'cadences.write', scopes: ['leads.read', 'contacts.read'] },
      schema: {
        operationId: 'enrollInCadence',
        summary: 'Enroll persons in a cadence',
        description:
          'Requires `lead_ids` or `contact_ids`, at most 10,000 in total. Up to 200 are enrolled before the response, more by a task with ' +
          'the same result. A person who cannot be enrolled is skipped with a code. Enrolled persons become members of the campaign of the cadence. ' +
          'A sender who is another user is notified.',
        params: CadenceParams,
        body: NewEnrollments,
        response: { 200: EnrolledPersons, 202: AcceptedTask },
      },
      handler: (request, reply) =>
        request.inTenant(async (tx) =>
          setAcceptedStatus(
            reply,
            await enrollInCadence(tx, request.actor, request.params.cadence_id, request.body, services),
          ),
        ),
    })

    app.route({
      method: 'POST',
      url: '/api/cadences/:cadence_id/enrollments/reassign',
      config: { scope: 'cadences.write', scopes: ['leads.read', 'contacts.read'] },
      schema: {
        operationId: 'reassignCadenceEnrollments',
        summary: 'Reassign enrollments of a sender',
        description:
          'Gives the active and paused enrollments of a sender in the cadence, and the open tasks of the sender, to another one, who is notified. Those that ' +
          'are paused because their sender is not active continue. Up to 200 are changed before the response, more by a task with the same result.',
        params: CadenceParams,
        body: SenderReassignment,
        response: { 200: ReassignedEnrollments, 202: AcceptedTask },
      },
      handler: (request, reply) =>
        request.inTenant(async (tx) =>
          setAcceptedStatus(
            reply,
            await reassignCadenceEnrollments(tx, request.actor, request.params.cadence_id, request.body, services),
          ),
        ),
    })

    app.route({
      method: 'PATCH',
      url: '/api/cadences/:cadence_id/enrollments/:enrollment_id',
      config: { scope: 'cadences.write', scopes: ['leads.read', 'contacts.read'] },
      schema: {
        operationId: 'updateCadenceEnrollment',
        summary: 'Update an enrollment',
        description:
          'Pauses, continues or ends an enrollment, or gives it and the open task of its sender to another sender. One that is paused ' +
          'because its sender is not active continues with the other sender. A step that may have been sent is not repeated. ' +
          'An enrollment that has ended cannot change.',
        params: EnrollmentParams,
        body: EnrollmentChanges,
        response: { 200: CadenceEnrollment },
      },
      handler: (request) => {
        const { cadence_id: cadenceId, enrollment_id: enrollmentId } = request.params
        return request.inTenant((tx) =>
          updateCadenceEnrollment(tx, request.actor, { cadenceId, enrollmentId }, request.body, services),
        )
      },
    })
  }

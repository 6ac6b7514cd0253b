import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { createExpertRequest } from './create-request.service.ts'
import {
  ExpertRequest,
  ExpertRequestChanges,
  ExpertRequestParams,
  ExpertRequestQuery,
  NewExpertRequest,
} from './requests.schemas.ts'
import { listExpertRequests, updateExpertRequest } from './update-request.service.ts'

export const expertRequestRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enablement/experts/requests/',
      config: { scope: 'experts.read' },
      schema: {
        operationId: 'listExpertRequests',
        summary: 'List requests to experts',
        description:
          'Unanswered requests by due time, then the others, the newest first. Managers and admins see all requests; other users see their own, those assigned to them, and those that were. `my_requests` and `my_incoming` narrow the list.',
        querystring: ExpertRequestQuery,
        response: { 200: pageOf(ExpertRequest) },
      },
      handler: (request) => request.inTenant((tx) => listExpertRequests(tx, request.actor, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/enablement/experts/requests/',
      config: { scope: 'experts.write' },
      schema: {
        operationId: 'createExpertRequest',
        summary: 'Create a request to an expert',
        description:
          'Requires `topic`, `subject` and `body`. The request is assigned to the available expert on the topic with the lowest load; without one it is `open`, managers and admins are notified, and it is assigned as soon as an expert has room. `expert_id` sends it to one expert, who may be busy.',
        body: NewExpertRequest,
        response: { 201: ExpertRequest },
      },
      handler: (request) =>
        request.inTenant((tx) => createExpertRequest(tx, request.actor, request.body, { now: clock.now() })),
    })

    app.route({
      method: 'PATCH',
      url: '/api/enablement/experts/requests/:request_id',
      config: { scope: 'experts.write', notWhileImpersonating: true },
      schema: {
        operationId: 'updateExpertRequest',
        summary: 'Update a request to an expert',
        description:
          'The expert accepts (`status` `in_progress`), answers or declines. The requester closes, rates, cancels, changes the priority, or reopens an answered request with a note, within 7 days and at most 3 times; reopening removes the rating. Managers and admins assign, change the priority and cancel. Only one of `status`, `decline` and `expert_id` is allowed in a call.',
        params: ExpertRequestParams,
        body: ExpertRequestChanges,
        response: { 200: ExpertRequest },
      },
      handler: (request) => {
        const input = { changes: request.body, expectedVersion: expectedVersion(request), now: clock.now() }
        return request.inTenant((tx) => updateExpertRequest(tx, request.actor, request.params.request_id, input))
      },
    })
  }

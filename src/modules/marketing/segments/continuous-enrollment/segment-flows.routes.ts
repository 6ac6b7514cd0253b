import { Type } from 'typebox'
import { type Routes, setAcceptedStatus } from '#platform/http'
import type { Services } from '#platform/module'
import { AcceptedTask, pageOf } from '#platform/schema'
import { SegmentParams } from '../segments/segments.schemas.ts'
import { enrollSegment } from './enroll-segment.service.ts'
import { EnrollRequest, EnrollResponse, FlowParams, FlowQuery, SegmentFlow } from './segment-flows.schemas.ts'
import { deleteSegmentFlow, listSegmentFlows } from './segment-flows.service.ts'

export const segmentFlowRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/segments/:segment_id/enroll',
      config: { scope: 'segments.write' },
      schema: {
        operationId: 'enrollSegment',
        summary: 'Enroll members of a segment',
        description:
          'Also requires the write scope of the target, such as `campaigns.write`. Up to 200 members are enrolled before the response, ' +
          'more by a task. With the mode `continuous`, a flow enrolls present and later members within 15 minutes, each of them once. ' +
          'Segments of accounts cannot be enrolled.',
        params: SegmentParams,
        body: EnrollRequest,
        response: { 200: EnrollResponse, 202: AcceptedTask },
      },
      handler: (request, reply) =>
        request.inTenant(async (tx) =>
          setAcceptedStatus(
            reply,
            await enrollSegment(tx, request.actor, request.params.segment_id, request.body, services),
          ),
        ),
    })

    app.route({
      method: 'GET',
      url: '/api/segments/:segment_id/flows',
      config: { scope: 'segments.read' },
      schema: {
        operationId: 'listSegmentFlows',
        summary: 'List segment flows',
        description: 'Continuous enrollments of the segment, stopped ones included, oldest first.',
        params: SegmentParams,
        querystring: FlowQuery,
        response: { 200: pageOf(SegmentFlow) },
      },
      handler: (request) =>
        request.inTenant((tx) => listSegmentFlows(tx, request.params.segment_id, request.query, services)),
    })

    app.route({
      method: 'DELETE',
      url: '/api/segments/:segment_id/flows/:flow_id',
      config: { scope: 'segments.delete' },
      schema: {
        operationId: 'deleteSegmentFlow',
        summary: 'Delete a segment flow',
        description:
          'Stops the flow; members that it enrolled stay enrolled. Allowed for managers, the owner of the segment and the user who ' +
          'started the flow. A new flow with the same target does not enroll the same members again.',
        params: FlowParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        await request.inTenant((tx) => deleteSegmentFlow(tx, request.actor, request.params))
      },
    })
  }

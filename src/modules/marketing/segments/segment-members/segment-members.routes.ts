import { ProblemDetails, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { SegmentParams } from '../segments/segments.schemas.ts'
import { ChangedMembers, MemberChanges, SegmentMember, SegmentMemberQuery } from './segment-members.schemas.ts'
import { listSegmentMembers, updateSegmentMembers } from './segment-members.service.ts'

export const segmentMemberRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/segments/:segment_id/members',
      config: { scope: 'segments.read' },
      schema: {
        operationId: 'listSegmentMembers',
        summary: 'List segment members',
        description:
          'Sorted by id. Members of a dynamic segment are those that match now. Also requires the read scope of the object type, ' +
          'such as `leads.read`.',
        params: SegmentParams,
        querystring: SegmentMemberQuery,
        response: { 200: pageOf(SegmentMember), 409: ProblemDetails },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          listSegmentMembers(tx, request.actor, request.params.segment_id, request.query, services),
        ),
    })

    app.route({
      method: 'POST',
      url: '/api/segments/:segment_id/members',
      config: { scope: 'segments.write' },
      schema: {
        operationId: 'updateSegmentMembers',
        summary: 'Update segment members',
        description:
          'Adds records to a static segment and removes others, for managers and the owner. Members that are added again and ' +
          'records that are not members are ignored.',
        params: SegmentParams,
        body: MemberChanges,
        response: { 200: ChangedMembers },
      },
      handler: (request) =>
        request.inTenant((tx) => updateSegmentMembers(tx, request.actor, request.params.segment_id, request.body)),
    })
  }

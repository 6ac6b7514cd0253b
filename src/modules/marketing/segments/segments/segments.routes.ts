import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { createSegment } from './create-segment.service.ts'
import { getSegment, listSegments } from './segment-details.service.ts'
import {
  ChangedSegment,
  NewSegment,
  Segment,
  SegmentChanges,
  SegmentParams,
  SegmentQuery,
  SegmentSummary,
} from './segments.schemas.ts'
import { deleteSegment, updateSegment } from './update-segment.service.ts'

export const segmentRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/segments',
      config: { scope: 'segments.read' },
      schema: {
        operationId: 'listSegments',
        summary: 'List segments',
        description: 'Sorted by name.',
        querystring: SegmentQuery,
        response: { 200: pageOf(SegmentSummary) },
      },
      handler: (request) => request.inTenant((tx) => listSegments(tx, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/segments',
      config: { scope: 'segments.write' },
      schema: {
        operationId: 'createSegment',
        summary: 'Create a segment',
        description:
          'A dynamic segment requires `rules`. A static segment starts with `record_ids`, and with the records that match `rules` ' +
          'now; more than 200 matches are added by the task `task_id`. Names are unique per object type. ' +
          'The owner is the caller unless `owner_id` is set. A workspace can have 1,000 segments.',
        body: NewSegment,
        response: { 201: ChangedSegment },
      },
      handler: (request) => request.inTenant((tx) => createSegment(tx, request.actor, request.body, services)),
    })

    app.route({
      method: 'GET',
      url: '/api/segments/:segment_id',
      config: { scope: 'segments.read' },
      schema: {
        operationId: 'getSegment',
        summary: 'Get a segment',
        description: 'With what its rules refer to, and what uses it.',
        params: SegmentParams,
        response: { 200: Segment },
      },
      handler: (request) => request.inTenant((tx) => getSegment(tx, request.params.segment_id, services)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/segments/:segment_id',
      config: { scope: 'segments.write' },
      schema: {
        operationId: 'updateSegment',
        summary: 'Update a segment',
        description:
          'Allowed for managers and the owner. A dynamic segment can become static, with its current members; a static segment cannot ' +
          'become dynamic. Valid `rules` make an invalid segment valid again. Rules of a static segment do not change its members.',
        params: SegmentParams,
        body: SegmentChanges,
        response: { 200: ChangedSegment },
      },
      handler: (request) => {
        const update = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => updateSegment(tx, request.actor, request.params.segment_id, update, services))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/segments/:segment_id',
      config: { scope: 'segments.delete' },
      schema: {
        operationId: 'deleteSegment',
        summary: 'Delete a segment',
        description: 'Allowed for managers and the owner, unless other segments or active flows use the segment.',
        params: SegmentParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { expectedVersion: expectedVersion(request) }
        await request.inTenant((tx) => deleteSegment(tx, request.actor, request.params.segment_id, options, services))
      },
    })
  }

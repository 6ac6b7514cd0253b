import type { Routes } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import type { Services } from '#platform/module'
import { previewSegment } from './preview-segment.flow.ts'
import { PreviewRequest, SegmentPreview } from './segment-preview.schemas.ts'

const previewLimit: RouteLimit = { name: 'segment_preview', limit: 20, windowSeconds: 60, per: 'user' }

export const segmentPreviewRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/segments/preview',
      config: { scope: 'segments.write', limits: [previewLimit] },
      schema: {
        operationId: 'previewSegment',
        summary: 'Preview a segment',
        description:
          'Counts the records that match the rules and shows the newest ones, without saving anything. If that takes more than 3.5 ' +
          'seconds, the response has a lower bound. Also requires the read scope of the object type, such as `leads.read`. ' +
          'At most 20 previews per user and minute.',
        body: PreviewRequest,
        response: { 200: SegmentPreview },
      },
      handler: (request) => previewSegment(services, request.actor, request.body, (work) => request.inTenant(work)),
    })
  }

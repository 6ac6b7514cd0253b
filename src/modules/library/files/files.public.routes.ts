import { notFound } from '#platform/errors'
import { type Files, fileResponses } from '#platform/files'
import type { FileTicket, Routes } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import type { Services } from '#platform/module'
import { startsDownload } from './files.rules.ts'
import { FileParams, PublicFileQuery } from './files.schemas.ts'
import { findPublicContentFile } from './find-file.service.ts'

const downloadLimits: readonly RouteLimit[] = [
  { name: 'public_content', limit: 120, windowSeconds: 60, per: 'network' },
  { name: 'public_content_item', limit: 1_000, windowSeconds: 60, per: 'path_parameter', parameter: 'item_id' },
]

export const publicContentFileRoutes =
  ({ files, clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enablement/content/public/:item_id/files/:filename',
      config: { public: true, head: true, limits: downloadLimits, tag: 'content' },
      schema: {
        operationId: 'downloadPublicContentFile',
        summary: 'Download a public content file',
        description:
          'The current file of a public, published item, or any file with the `ticket` of a room visit. Everything else is the same 404. 120 requests per minute and network, 1,000 per minute and item.',
        params: FileParams,
        querystring: PublicFileQuery,
        response: fileResponses,
      },
      handler: async (request, reply) => {
        const { item_id: itemId, filename } = request.params
        const { ticket, download: isDownload, track: isTracked } = request.query
        if (ticket !== undefined) request.ticket = verifyVisitTicket(files, ticket, request.tenant.id)
        const isCounted = isTracked !== false && request.method === 'GET' && startsDownload(request.headers.range)
        const userAgent = request.headers['user-agent']
        return await files.send(request, reply, {
          findFileId: (tx) =>
            findPublicContentFile(
              tx,
              { itemId, filename },
              { ticketFileId: request.ticket?.fileId, isCounted, userAgent, now: clock.now() },
            ),
          isDownload,
          isPublic: true,
        })
      },
    })
  }

/** An invalid ticket, or one of a user, is not found like a missing file. */
function verifyVisitTicket({ tickets }: Files, ticket: string, tenantId: string): FileTicket {
  let verified: FileTicket | undefined
  try {
    verified = tickets.verify(ticket, tenantId)
  } catch {
    throw notFound('file')
  }
  if (!verified.visitId) throw notFound('file')
  return verified
}

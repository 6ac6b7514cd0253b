import type { Role } from '#platform/access'
import { fileResponses } from '#platform/files'
import { ProblemDetails, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import type { FileObjectType } from '../record-columns/record-columns.rules.ts'
import { createExport } from './create-export.service.ts'
import { ExportFileQuery, ExportParams, newExportOf, RecordExport, StartedExport } from './exports.schemas.ts'
import { findExportFileId, getExport } from './get-export.service.ts'

export const exportedTypes: FileObjectType[] = ['lead', 'contact', 'account']
const names = { lead: 'Lead', contact: 'Contact', account: 'Account' } as const
const roles: Role[] = ['manager', 'admin']

export const exportRoutes =
  (objectType: FileObjectType, services: Services): Routes =>
  async (app) => {
    const name = names[objectType]
    const url = `/api/${objectType}s/exports`

    app.route({
      method: 'POST',
      url,
      config: { scope: `${objectType}s.write`, roles },
      schema: {
        operationId: `create${name}Export`,
        summary: `Export ${objectType}s`,
        description:
          `Writes the ${objectType}s that match a rule and filters of their list to a file in a task, in the order of their ids and as of one ` +
          'instant. Without `filter` and `query`, all are exported. The file can be downloaded for 24 hours. A user can start 10 exports in 24 hours. Texts in a CSV file that a ' +
          'spreadsheet would evaluate start with an apostrophe; an import removes it.',
        body: newExportOf(objectType),
        response: { 202: StartedExport },
      },
      handler: (request) =>
        request.inTenant((tx) => createExport(tx, request.actor, objectType, request.body, services)),
    })

    app.route({
      method: 'GET',
      url: `${url}/:export_id`,
      config: { scope: `${objectType}s.read`, roles },
      schema: {
        operationId: `get${name}Export`,
        summary: `Get an export of ${objectType}s`,
        params: ExportParams,
        response: { 200: RecordExport },
      },
      handler: (request) => request.inTenant((tx) => getExport(tx, objectType, request.params.export_id, services)),
    })

    app.route({
      method: 'GET',
      url: `${url}/:export_id/file`,
      config: { scope: `${objectType}s.read`, roles, head: true, verifyTicket: services.files.tickets.verify },
      schema: {
        operationId: `download${name}Export`,
        summary: `Download an export of ${objectType}s`,
        description:
          'After 24 hours, or once the data of a person is erased, the response is 410. A `ticket` from `download_url` replaces the credential, while ' +
          'its user is signed in as a manager or admin.',
        params: ExportParams,
        querystring: ExportFileQuery,
        response: { ...fileResponses, 410: ProblemDetails },
      },
      handler: async (request, reply) =>
        await services.files.send(request, reply, {
          findFileId: (tx) => findExportFileId(tx, objectType, request.params.export_id, services),
          isDownload: true,
        }),
    })
  }

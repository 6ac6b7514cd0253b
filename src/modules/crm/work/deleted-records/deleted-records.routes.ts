import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { readScopes } from '../../records/fields/record-scopes.ts'
import { DeletedRecord, DeletedRecordParams, DeletedRecordQuery } from './deleted-records.schemas.ts'
import { listDeletedRecords } from './deleted-records.service.ts'

export const deletedRecordRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/deleted-records/:record_type',
      config: { scope: 'leads.read', scopeByParam: { name: 'record_type', scopes: readScopes } },
      schema: {
        operationId: 'listDeletedRecords',
        summary: 'List deleted records',
        description:
          'Leads, contacts, accounts or deals that were deleted in the last 30 days and that the caller may restore: managers see ' +
          'all of them, other users those that they deleted. The newest deletion is first. Merged records are not listed.',
        params: DeletedRecordParams,
        querystring: DeletedRecordQuery,
        response: { 200: pageOf(DeletedRecord) },
      },
      handler: (request) => {
        const input = { ...request.query, type: request.params.record_type, now: clock.now() }
        return request.inTenant((tx) => listDeletedRecords(tx, request.actor, input))
      },
    })
  }

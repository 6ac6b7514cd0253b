import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { BulkAnswer, BulkOrder } from './bulk.schemas.ts'
import { changeLeads } from './bulk-leads.flow.ts'

export const bulkRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/leads/bulk',
      config: { scope: 'leads.write' },
      schema: {
        operationId: 'changeLeads',
        summary: 'Do one thing to many leads',
        description:
          'Name the leads, or a filter with the number of leads it matched when you looked. Up to 200 are changed before the ' +
          'answer comes, more by a task. Each lead stands for itself: one that refuses does not hold up the others. ' +
          'Deleting needs the scope `leads.delete`, too.',
        body: BulkOrder,
        response: { 200: BulkAnswer },
      },
      handler: (request) => changeLeads(services, request.actor, request.body, (work) => request.inTenant(work)),
    })
  }

import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { BulkLeadsRequest, BulkLeadsResponse } from './bulk.schemas.ts'
import { bulkUpdateLeads } from './bulk-update-leads.flow.ts'

export const bulkRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/leads/bulk',
      config: { scope: 'leads.write' },
      schema: {
        operationId: 'bulkUpdateLeads',
        summary: 'Bulk-update leads',
        description:
          'Select leads by `lead_ids`, or by `filter` (a rule, as in the list of leads) and `query` with the `expected_count` of matches. Up to 200 leads are updated before ' +
          'the response, more by a task. Leads are processed independently; a failure does not affect the others. ' +
          'The action `delete` also requires the scope `leads.delete`, `enrich` the scope `enrichment.write`, `add_to_campaign` the scopes ' +
          '`campaigns.write`, `leads.read` and `contacts.read`. `restore` accepts only `lead_ids`.',
        body: BulkLeadsRequest,
        response: { 200: BulkLeadsResponse },
      },
      handler: (request) => bulkUpdateLeads(services, request.actor, request.body, (work) => request.inTenant(work)),
    })
  }

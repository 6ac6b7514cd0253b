import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { BulkTaskParams, StartedBulkUndo } from '../bulk/bulk.schemas.ts'
import { bulkUpdateLeads, undoLeadBulkUpdate } from './lead-bulk.flow.ts'
import { BulkLeadsRequest, BulkLeadsResponse } from './lead-bulk.schemas.ts'

export const leadBulkRoutes =
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

    app.route({
      method: 'POST',
      url: '/api/leads/bulk/:task_id/undo',
      config: { scope: 'leads.write' },
      schema: {
        operationId: 'undoLeadBulkUpdate',
        summary: 'Undo a bulk update of leads',
        description:
          'Within 24 hours, restores in a task what the task of a bulk update changed: owner, status, stage, fields, tags, deletion or ' +
          'restoration. Leads that were changed since are skipped. The result of the task has the number of `restored` and `skipped` leads, ' +
          'and `skipped_leads` by reason, up to 1,000. Opt-outs, scores, campaigns, cadences and enrichments stay. Allowed for the user who ' +
          'started the task and admins, with the scopes of the action; undoing `restore` requires `leads.delete`. An undo that failed or ' +
          'was cancelled can be started again.',
        params: BulkTaskParams,
        response: { 202: StartedBulkUndo },
      },
      handler: (request) =>
        request.inTenant((tx) => undoLeadBulkUpdate(tx, request.actor, request.params.task_id, services)),
    })
  }

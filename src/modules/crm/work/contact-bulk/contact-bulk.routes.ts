import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { BulkTaskParams, StartedBulkUndo } from '../bulk/bulk.schemas.ts'
import { bulkUpdateContacts, undoContactBulkUpdate } from './contact-bulk.flow.ts'
import { BulkContactsRequest, BulkContactsResponse } from './contact-bulk.schemas.ts'

export const contactBulkRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/contacts/bulk',
      config: { scope: 'contacts.write' },
      schema: {
        operationId: 'bulkUpdateContacts',
        summary: 'Bulk-update contacts',
        description:
          'Select contacts by `contact_ids`, or by `query` with the `expected_count` of matches. Up to 200 contacts are updated before ' +
          'the response, more by a task. Contacts are processed independently; a failure does not affect the others. ' +
          'The action `delete` also requires the scope `contacts.delete`, `add_to_campaign` the scopes `campaigns.write`, `leads.read` ' +
          'and `contacts.read`, `enroll_cadence` the scopes `cadences.write`, `leads.read` and `contacts.read`. `restore` accepts only ' +
          '`contact_ids`.',
        body: BulkContactsRequest,
        response: { 200: BulkContactsResponse },
      },
      handler: (request) => bulkUpdateContacts(services, request.actor, request.body, (work) => request.inTenant(work)),
    })

    app.route({
      method: 'POST',
      url: '/api/contacts/bulk/:task_id/undo',
      config: { scope: 'contacts.write' },
      schema: {
        operationId: 'undoContactBulkUpdate',
        summary: 'Undo a bulk update of contacts',
        description:
          'Within 24 hours, restores in a task what the task of a bulk update changed: owner, tags, deletion or restoration. Contacts ' +
          'that were changed since are skipped. The result of the task has the number of `restored` and `skipped` contacts, and ' +
          '`skipped_contacts` by reason, up to 1,000. Opt-outs, campaigns and cadences stay. Allowed for the user who started the task ' +
          'and admins, with the scopes of the action; undoing `restore` requires `contacts.delete`. An undo that failed or was ' +
          'cancelled can be started again.',
        params: BulkTaskParams,
        response: { 202: StartedBulkUndo },
      },
      handler: (request) =>
        request.inTenant((tx) => undoContactBulkUpdate(tx, request.actor, request.params.task_id, services)),
    })
  }

import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { LeadParams } from '../../people/lead-records/leads.schemas.ts'
import { MergedLead, MergeLeadsRequest, MergeParams, UndoneLeadMerge } from './merge.schemas.ts'
import { mergeLeads } from './merge-leads.service.ts'
import { undoLeadMerge } from './undo-lead-merge.service.ts'

export const mergeRoutes =
  (services: Pick<Services, 'clock' | 'secrets' | 'registry'>): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/leads/:lead_id/merge',
      config: { scope: 'leads.write', scopes: ['leads.delete'] },
      schema: {
        operationId: 'mergeLeads',
        summary: 'Merge duplicate leads',
        description:
          'The lead in the URL is kept; the activities of the others move to it. Opt-outs always win. Allowed for managers ' +
          'and the owner of all these leads. The enrollments of the others in cadences end. A merge can be undone for 30 days.',
        params: LeadParams,
        body: MergeLeadsRequest,
        response: { 200: MergedLead },
      },
      handler: (request) =>
        request.inTenant((tx) => mergeLeads(tx, request.actor, request.params.lead_id, request.body, services)),
    })

    app.route({
      method: 'POST',
      url: '/api/leads/merges/:merge_id/undo',
      config: { scope: 'leads.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'undoLeadMerge',
        summary: 'Undo a lead merge',
        description:
          'Restores the merged leads. Changes made since the merge stay on the surviving lead. If lead email addresses must be ' +
          'unique, the request fails while two leads would have the same one. Enrollments in cadences that the merge had ended stay ended. ' +
          'Possible for 30 days.',
        params: MergeParams,
        response: { 200: UndoneLeadMerge },
      },
      handler: (request) => request.inTenant((tx) => undoLeadMerge(tx, request.params.merge_id, services)),
    })
  }

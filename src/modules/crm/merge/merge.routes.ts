import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { LeadParams } from '../leads/leads.schemas.ts'
import { LeadMerge, MergedLead, MergeParams, UndoneMerge } from './merge.schemas.ts'
import { mergeLeads } from './merge-leads.service.ts'
import { undoMerge } from './undo-merge.service.ts'

export const mergeRoutes =
  ({ clock }: Pick<Services, 'clock'>): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/leads/:lead_id/merge',
      config: { scope: 'leads.write' },
      schema: {
        operationId: 'mergeLeads',
        summary: 'Join leads for the same person',
        description:
          'The lead in the address stays and takes over what happened with the others. Objections always win. For managers, ' +
          'and for whoever owns all of them. It can be undone for 30 days.',
        params: LeadParams,
        body: LeadMerge,
        response: { 200: MergedLead },
      },
      handler: (request) =>
        request.inTenant((tx) => mergeLeads(tx, request.actor, request.params.lead_id, request.body, clock.now())),
    })

    app.route({
      method: 'POST',
      url: '/api/leads/merges/:merge_id/undo',
      config: { scope: 'leads.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'undoMerge',
        summary: 'Take joined leads apart again',
        description:
          'Each gets back what was theirs. What was changed since the merge stays with the lead it is on now. Where leads must ' +
          'not share an e-mail address, it is refused as long as two of them would.',
        params: MergeParams,
        response: { 200: UndoneMerge },
      },
      handler: (request) => request.inTenant((tx) => undoMerge(tx, request.params.merge_id, clock.now())),
    })
  }

import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { LeadParams } from '../../people/lead-records/leads.schemas.ts'
import { DraftEmailRequest, LeadEmailDraft, Qualification } from './assist.schemas.ts'
import { draftLeadEmail } from './draft-lead-email.flow.ts'
import { qualifyLead } from './qualify-lead.flow.ts'

export const assistRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/leads/:lead_id/ai-qualify',
      config: { scope: 'leads.write' },
      schema: {
        operationId: 'qualifyLead',
        summary: 'Qualify a lead',
        description:
          'Assesses budget, authority, need and timing with the language model of the workspace, or with rules if none is available. ' +
          'The result is stored and added to the timeline; the lead is not changed.',
        params: LeadParams,
        response: { 200: Qualification },
      },
      handler: (request) =>
        qualifyLead(services, request.actor, request.params.lead_id, (work) => request.inTenant(work)),
    })

    app.route({
      method: 'POST',
      url: '/api/leads/:lead_id/ai-draft',
      config: { scope: 'leads.write' },
      schema: {
        operationId: 'draftLeadEmail',
        summary: 'Draft an email to a lead',
        description:
          'Writes the draft with the language model of the workspace, or from a template if none is available. ' +
          'The email is not sent; `sendable` says whether it may be.',
        params: LeadParams,
        body: DraftEmailRequest,
        response: { 200: LeadEmailDraft },
      },
      handler: (request) => {
        const input = { leadId: request.params.lead_id, options: request.body }
        return draftLeadEmail(services, request.actor, input, (work) => request.inTenant(work))
      },
    })
  }

import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { LeadParams } from '../leads/leads.schemas.ts'
import { Draft, DraftWish, Qualification } from './assist.schemas.ts'
import { draftEmail } from './draft-email.flow.ts'
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
        summary: 'Say whether a lead is worth the effort, and why',
        description:
          'The model of the workspace answers, or rules do. The answer is kept and noted in the timeline; the lead itself stays as it is.',
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
        operationId: 'draftEmail',
        summary: 'Draft an e-mail to a lead',
        description:
          'The model of the workspace writes, or templates do. Nothing is sent, and `sendable` tells whether it may be.',
        params: LeadParams,
        body: DraftWish,
        response: { 200: Draft },
      },
      handler: (request) => {
        const asked = { leadId: request.params.lead_id, wish: request.body }
        return draftEmail(services, request.actor, asked, (work) => request.inTenant(work))
      },
    })
  }

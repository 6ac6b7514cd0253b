import type { Routes } from '#platform/http'
import { setOf } from '#platform/schema'
import { LeadParams } from '../leads/leads.schemas.ts'
import { Duplicate } from './duplicates.schemas.ts'
import { findLeadDuplicates } from './duplicates.service.ts'

export const duplicateRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/leads/:lead_id/duplicates',
    config: { scope: 'leads.read', scopes: ['contacts.read'] },
    schema: {
      operationId: 'findLeadDuplicates',
      summary: 'List who seems to be the same person',
      description: 'By the same e-mail address first, then by the same name and company.',
      params: LeadParams,
      response: { 200: setOf(Duplicate) },
    },
    handler: (request) => request.inTenant((tx) => findLeadDuplicates(tx, request.params.lead_id)),
  })
}

import type { Routes } from '#platform/http'
import { LeadSource, LeadSourceInput, LeadSourceParams } from './lead-sources.schemas.ts'
import { replaceLeadSource } from './lead-sources.service.ts'

export const leadSourceRoutes: Routes = async (app) => {
  app.route({
    method: 'PUT',
    url: '/api/leads/sources/:source_key',
    config: { scope: 'leads.write', roles: ['manager', 'admin'] },
    schema: {
      operationId: 'replaceLeadSource',
      summary: 'Create or replace a lead source',
      description: 'Fields that are left out are reset to their defaults. The `spend` list replaces the previous one.',
      params: LeadSourceParams,
      body: LeadSourceInput,
      response: { 200: LeadSource },
    },
    handler: (request) => request.inTenant((tx) => replaceLeadSource(tx, request.params.source_key, request.body)),
  })
}

import type { Routes } from '#platform/http'
import { ContactParams } from '../contacts/contacts.schemas.ts'
import { LeadParams } from '../lead-records/leads.schemas.ts'
import { Duplicates } from './duplicates.schemas.ts'
import { listContactDuplicates, listLeadDuplicates } from './duplicates.service.ts'

export const duplicateRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/leads/:lead_id/duplicates',
    config: { scope: 'leads.read', scopes: ['contacts.read'] },
    schema: {
      operationId: 'listLeadDuplicates',
      summary: 'List possible duplicates of a lead',
      description: 'Lists the oldest 50, matches by email address first, then matches by name and company.',
      params: LeadParams,
      response: { 200: Duplicates },
    },
    handler: (request) => request.inTenant((tx) => listLeadDuplicates(tx, request.params.lead_id)),
  })

  app.route({
    method: 'GET',
    url: '/api/contacts/:contact_id/duplicates',
    config: { scope: 'contacts.read', scopes: ['leads.read'] },
    schema: {
      operationId: 'listContactDuplicates',
      summary: 'List possible duplicates of a contact',
      description: 'Lists the oldest 50, matches by email address first, then matches by name and company.',
      params: ContactParams,
      response: { 200: Duplicates },
    },
    handler: (request) => request.inTenant((tx) => listContactDuplicates(tx, request.params.contact_id)),
  })
}

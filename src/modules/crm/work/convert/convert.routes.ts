import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { LeadParams } from '../../people/lead-records/leads.schemas.ts'
import { Conversion, ConvertLeadRequest } from './convert.schemas.ts'
import { convertLead } from './convert-lead.service.ts'

export const convertRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/leads/:lead_id/convert',
      config: { scope: 'leads.write', scopes: ['accounts.write', 'contacts.write'] },
      schema: {
        operationId: 'convertLead',
        summary: 'Convert a lead',
        description:
          'Creates a contact and an account, or fills empty fields of existing ones that match by email address, domain or name. ' +
          'Converting a lead again returns the same result and creates a deal if there is none yet. Creating a deal also ' +
          'requires the scope `opportunities.write`.',
        params: LeadParams,
        body: ConvertLeadRequest,
        response: { 200: Conversion },
      },
      handler: (request) =>
        request.inTenant((tx) => convertLead(tx, request.actor, request.params.lead_id, request.body, services)),
    })
  }

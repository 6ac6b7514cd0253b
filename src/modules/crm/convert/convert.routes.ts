import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { LeadParams } from '../leads/leads.schemas.ts'
import { Conversion, ConversionWish } from './convert.schemas.ts'
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
        summary: 'Make a contact of an account out of a lead',
        description:
          'Contact and account are looked for first, by address, domain and name, and only what is empty there is filled in. ' +
          'A lead is converted once: asked again, the answer is the same, with a deal if there was none. A deal needs the ' +
          'scope `opportunities.write`, too.',
        params: LeadParams,
        body: ConversionWish,
        response: { 200: Conversion },
      },
      handler: (request) =>
        request.inTenant((tx) => convertLead(tx, request.actor, request.params.lead_id, request.body, services)),
    })
  }

import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { AcceptedTask } from '#platform/schema'
import { ContactParams } from '../../people/contacts/contacts.schemas.ts'
import { LeadParams } from '../../people/lead-records/leads.schemas.ts'
import { ErasureConfirmation } from './erasure.schemas.ts'
import { eraseContact, eraseLead } from './request-erasure.service.ts'

const description =
  'Permanently erases the personal data of a person in a background task: all leads and contacts with the same email address or ' +
  'linked by a merge or conversion, also deleted ones, their activities and everything stored about them. Counts, deals and amounts ' +
  'stay; mentions of the person in deals and accounts are erased. Repeated requests return the running task.'

const access = { roles: ['admin' as const], humanOnly: true as const, freshLogin: true as const }

export const erasureRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/leads/:lead_id/erase',
      config: { scope: 'leads.write', ...access },
      schema: {
        operationId: 'eraseLead',
        summary: 'Erase the person of a lead',
        description,
        params: LeadParams,
        body: ErasureConfirmation,
        response: { 202: AcceptedTask },
      },
      handler: (request) =>
        request.inTenant((tx) => eraseLead(tx, request.actor, request.params.lead_id, request.body, services)),
    })

    app.route({
      method: 'POST',
      url: '/api/contacts/:contact_id/erase',
      config: { scope: 'contacts.write', ...access },
      schema: {
        operationId: 'eraseContact',
        summary: 'Erase the person of a contact',
        description,
        params: ContactParams,
        body: ErasureConfirmation,
        response: { 202: AcceptedTask },
      },
      handler: (request) =>
        request.inTenant((tx) => eraseContact(tx, request.actor, request.params.contact_id, request.body, services)),
    })
  }

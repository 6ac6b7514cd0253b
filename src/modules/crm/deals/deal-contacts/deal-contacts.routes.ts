import { Type } from 'typebox'
import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import {
  DealContact,
  DealContactParams,
  NewDealContact,
  OpportunityParams,
} from '../opportunities/opportunities.schemas.ts'
import { addDealContact, removeDealContact } from './deal-contacts.service.ts'

export const dealContactRoutes =
  ({ clock }: Pick<Services, 'clock'>): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/opportunities/:opportunity_id/contacts',
      config: { scope: 'opportunities.write' },
      schema: {
        operationId: 'addDealContact',
        summary: 'Add a contact to a deal',
        description: 'If the contact is already in the deal, its role is changed and the status is 200.',
        params: OpportunityParams,
        body: NewDealContact,
        response: { 200: DealContact, 201: DealContact },
      },
      handler: (request, reply) =>
        request.inTenant(async (tx) => {
          const { opportunity_id } = request.params
          const { dealContact, isNew } = await addDealContact(tx, opportunity_id, request.body, clock.now())
          reply.code(isNew ? 201 : 200)
          return dealContact
        }),
    })

    app.route({
      method: 'DELETE',
      url: '/api/opportunities/:opportunity_id/contacts/:contact_id',
      config: { scope: 'opportunities.delete' },
      schema: {
        operationId: 'removeDealContact',
        summary: 'Remove a contact from a deal',
        params: DealContactParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const { opportunity_id, contact_id } = request.params
        await request.inTenant((tx) => removeDealContact(tx, opportunity_id, contact_id))
      },
    })
  }

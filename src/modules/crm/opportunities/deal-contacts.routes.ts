import { Type } from 'typebox'
import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { Id, listQuery, pageOf, strict } from '#platform/schema'
import { getAccount } from '../accounts/accounts.queries.ts'
import { getContact } from '../contacts/contacts.queries.ts'
import { involveContact, releaseContact } from './deal-contacts.service.ts'
import { findOpportunities } from './find-opportunities.service.ts'
import { readHistory } from './history.service.ts'
import {
  DealContact,
  DealContactParams,
  InvolvedContact,
  OpportunityParams,
  OpportunityQuery,
  OpportunitySummary,
  StageStep,
} from './opportunities.schemas.ts'

const { account_id: _, contact_id: __, ...otherFilters } = OpportunityQuery.properties
const DealsQuery = strict(otherFilters)

/** What belongs to a deal, and the deals that belong to somebody. */
export const dealContactRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/opportunities/:opportunity_id/contacts',
      config: { scope: 'opportunities.write' },
      schema: {
        operationId: 'involveContact',
        summary: 'Give a contact a part in a deal',
        description: 'Whoever has one already gets another role, and the answer is 200.',
        params: OpportunityParams,
        body: InvolvedContact,
        response: { 200: DealContact, 201: DealContact },
      },
      handler: (request, reply) =>
        request.inTenant(async (tx) => {
          const { opportunity_id } = request.params
          const { part, isNew } = await involveContact(tx, opportunity_id, request.body, services.clock.now())
          reply.code(isNew ? 201 : 200)
          return part
        }),
    })

    app.route({
      method: 'DELETE',
      url: '/api/opportunities/:opportunity_id/contacts/:contact_id',
      config: { scope: 'opportunities.delete' },
      schema: {
        operationId: 'releaseContact',
        summary: 'Take a contact out of a deal',
        params: DealContactParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const { opportunity_id, contact_id } = request.params
        await request.inTenant((tx) => releaseContact(tx, opportunity_id, contact_id))
      },
    })

    app.route({
      method: 'GET',
      url: '/api/opportunities/:opportunity_id/history',
      config: { scope: 'opportunities.read' },
      schema: {
        operationId: 'readHistory',
        summary: 'List the stages a deal has been through, the newest first',
        params: OpportunityParams,
        querystring: listQuery({}),
        response: { 200: pageOf(StageStep) },
      },
      handler: (request) => request.inTenant((tx) => readHistory(tx, request.params.opportunity_id, request.query)),
    })

    app.route({
      method: 'GET',
      url: '/api/accounts/:account_id/opportunities',
      config: { scope: 'accounts.read', scopes: ['opportunities.read'] },
      schema: {
        operationId: 'findOpportunitiesOfAccount',
        summary: 'List the deals with an account',
        params: strict({ account_id: Id }),
        querystring: DealsQuery,
        response: { 200: pageOf(OpportunitySummary) },
      },
      handler: (request) =>
        request.inTenant(async (tx) => {
          const { id: account_id } = await getAccount(tx, request.params.account_id)
          return await findOpportunities(tx, request.actor, { ...request.query, account_id }, services)
        }),
    })

    app.route({
      method: 'GET',
      url: '/api/contacts/:contact_id/opportunities',
      config: { scope: 'contacts.read', scopes: ['opportunities.read'] },
      schema: {
        operationId: 'findOpportunitiesOfContact',
        summary: 'List the deals a contact has a part in',
        params: strict({ contact_id: Id }),
        querystring: DealsQuery,
        response: { 200: pageOf(OpportunitySummary) },
      },
      handler: (request) =>
        request.inTenant(async (tx) => {
          const { id: contact_id } = await getContact(tx, request.params.contact_id)
          return await findOpportunities(tx, request.actor, { ...request.query, contact_id }, services)
        }),
    })
  }

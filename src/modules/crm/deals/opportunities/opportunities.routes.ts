import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { Id, listQuery, pageOf, sortOrder, strict } from '#platform/schema'
import { createOpportunity } from './create-opportunity.service.ts'
import { deleteOpportunity, restoreOpportunity } from './delete-opportunity.service.ts'
import { listAccountOpportunities, listContactOpportunities, listOpportunities } from './list-opportunities.service.ts'
import { getOpportunity } from './opportunities.queries.ts'
import {
  ListedOpportunity,
  NewOpportunity,
  Opportunity,
  OpportunityChanges,
  OpportunityParams,
  OpportunityQuery,
  OpportunityStageChange,
} from './opportunities.schemas.ts'
import { toOpportunityDetails } from './opportunity-details.service.ts'
import { listOpportunityStageHistory } from './stage-history.service.ts'
import { updateOpportunity } from './update-opportunity.service.ts'

const { account_id: _, contact_id: __, ...otherFilters } = OpportunityQuery.properties
const RelatedOpportunityQuery = strict(otherFilters)

export const opportunityRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { clock } = services

    app.route({
      method: 'GET',
      url: '/api/opportunities/',
      config: { scope: 'opportunities.read' },
      schema: {
        operationId: 'listOpportunities',
        summary: 'List deals',
        description: 'Sorted by `close_on` by default.',
        querystring: OpportunityQuery,
        response: { 200: pageOf(ListedOpportunity) },
      },
      handler: (request) => request.inTenant((tx) => listOpportunities(tx, request.actor, request.query, services)),
    })

    app.route({
      method: 'POST',
      url: '/api/opportunities/',
      config: { scope: 'opportunities.write' },
      schema: {
        operationId: 'createOpportunity',
        summary: 'Create a deal',
        description:
          'Uses the default pipeline and its first open stage unless `pipeline_id` or `stage_key` is set. ' +
          'A won deal requires `amount` and gets today as `close_on`; a lost deal requires `lost_reason`.',
        body: NewOpportunity,
        response: { 201: Opportunity },
      },
      handler: (request) =>
        request.inTenant(async (tx) =>
          toOpportunityDetails(tx, await createOpportunity(tx, request.actor, request.body, services), clock.now()),
        ),
    })

    app.route({
      method: 'GET',
      url: '/api/opportunities/:opportunity_id',
      config: { scope: 'opportunities.read' },
      schema: {
        operationId: 'getOpportunity',
        summary: 'Get a deal with its contacts',
        params: OpportunityParams,
        response: { 200: Opportunity },
      },
      handler: (request) =>
        request.inTenant(async (tx) =>
          toOpportunityDetails(tx, await getOpportunity(tx, request.params.opportunity_id), clock.now()),
        ),
    })

    app.route({
      method: 'PATCH',
      url: '/api/opportunities/:opportunity_id',
      config: { scope: 'opportunities.write' },
      schema: {
        operationId: 'updateOpportunity',
        summary: 'Update a deal or change its stage',
        description:
          'A new stage resets probability and forecast category to its defaults. ' +
          'Winning requires `amount` and sets `close_on` to today; losing requires `lost_reason`. ' +
          'A closed deal can be reopened by its owner or a manager; that requires a `close_on` that is not in the past.',
        params: OpportunityParams,
        body: OpportunityChanges,
        response: { 200: Opportunity },
      },
      handler: (request) => {
        const update = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant(async (tx) => {
          const deal = await updateOpportunity(tx, request.actor, request.params.opportunity_id, update, services)
          return toOpportunityDetails(tx, deal, clock.now())
        })
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/opportunities/:opportunity_id',
      config: { scope: 'opportunities.delete' },
      schema: {
        operationId: 'deleteOpportunity',
        summary: 'Delete a deal',
        description: 'A deleted deal can be restored for 30 days.',
        params: OpportunityParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { expectedVersion: expectedVersion(request), now: clock.now() }
        await request.inTenant((tx) => deleteOpportunity(tx, request.actor, request.params.opportunity_id, options))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/opportunities/:opportunity_id/restore',
      config: { scope: 'opportunities.write' },
      schema: {
        operationId: 'restoreOpportunity',
        summary: 'Restore a deleted deal',
        description: 'Allowed for the user who deleted it and for managers. Its account must not be deleted.',
        params: OpportunityParams,
        response: { 200: Opportunity },
      },
      handler: (request) =>
        request.inTenant(async (tx) => {
          const deal = await restoreOpportunity(tx, request.actor, request.params.opportunity_id, clock.now())
          return toOpportunityDetails(tx, deal, clock.now())
        }),
    })

    app.route({
      method: 'GET',
      url: '/api/opportunities/:opportunity_id/history',
      config: { scope: 'opportunities.read' },
      schema: {
        operationId: 'listOpportunityStageHistory',
        summary: 'List stage changes of a deal',
        description: 'Newest first.',
        params: OpportunityParams,
        querystring: listQuery({ sort: sortOrder(['-at', 'at']) }),
        response: { 200: pageOf(OpportunityStageChange) },
      },
      handler: (request) =>
        request.inTenant((tx) => listOpportunityStageHistory(tx, request.params.opportunity_id, request.query)),
    })

    app.route({
      method: 'GET',
      url: '/api/accounts/:account_id/opportunities',
      config: { scope: 'accounts.read', scopes: ['opportunities.read'] },
      schema: {
        operationId: 'listAccountOpportunities',
        summary: 'List deals of an account',
        params: strict({ account_id: Id }),
        querystring: RelatedOpportunityQuery,
        response: { 200: pageOf(ListedOpportunity) },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          listAccountOpportunities(tx, request.actor, request.params.account_id, request.query, services),
        ),
    })

    app.route({
      method: 'GET',
      url: '/api/contacts/:contact_id/opportunities',
      config: { scope: 'contacts.read', scopes: ['opportunities.read'] },
      schema: {
        operationId: 'listContactOpportunities',
        summary: 'List deals of a contact',
        params: strict({ contact_id: Id }),
        querystring: RelatedOpportunityQuery,
        response: { 200: pageOf(ListedOpportunity) },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          listContactOpportunities(tx, request.actor, request.params.contact_id, request.query, services),
        ),
    })
  }

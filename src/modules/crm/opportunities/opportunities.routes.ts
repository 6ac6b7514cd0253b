import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { changeOpportunity } from './change-opportunity.service.ts'
import { dealContactRoutes } from './deal-contacts.routes.ts'
import { deleteOpportunity, restoreOpportunity } from './delete-opportunity.service.ts'
import { findOpportunities } from './find-opportunities.service.ts'
import { forecastRoutes } from './forecast.routes.ts'
import { openOpportunity } from './open-opportunity.service.ts'
import { getOpportunity } from './opportunities.queries.ts'
import {
  NewOpportunity,
  Opportunity,
  OpportunityChanges,
  OpportunityParams,
  OpportunityQuery,
  OpportunitySummary,
} from './opportunities.schemas.ts'
import { pipelineRoutes } from './pipelines.routes.ts'
import { showOpportunity } from './show-opportunities.service.ts'

export const opportunityRoutes =
  (services: Services): Routes =>
  async (app) => {
    const { clock } = services
    await app.register(pipelineRoutes(services))
    await app.register(forecastRoutes(services))
    await app.register(dealContactRoutes(services))

    app.route({
      method: 'GET',
      url: '/api/opportunities/',
      config: { scope: 'opportunities.read' },
      schema: {
        operationId: 'findOpportunities',
        summary: 'List deals, those that are to close first',
        querystring: OpportunityQuery,
        response: { 200: pageOf(OpportunitySummary) },
      },
      handler: (request) => request.inTenant((tx) => findOpportunities(tx, request.actor, request.query, services)),
    })

    app.route({
      method: 'POST',
      url: '/api/opportunities/',
      config: { scope: 'opportunities.write' },
      schema: {
        operationId: 'openOpportunity',
        summary: 'Open a deal',
        description:
          'Without a `pipeline_id` it goes into the default pipeline, without a `stage_key` into its first stage. ' +
          'One that is won already needs an `amount` and closes today, one that is lost needs a `lost_reason`.',
        body: NewOpportunity,
        response: { 201: Opportunity },
      },
      handler: (request) =>
        request.inTenant(async (tx) =>
          showOpportunity(tx, await openOpportunity(tx, request.actor, request.body, services), clock.now()),
        ),
    })

    app.route({
      method: 'GET',
      url: '/api/opportunities/:opportunity_id',
      config: { scope: 'opportunities.read' },
      schema: {
        operationId: 'getOpportunity',
        summary: 'Get one deal with everybody who has a part in it',
        params: OpportunityParams,
        response: { 200: Opportunity },
      },
      handler: (request) =>
        request.inTenant(async (tx) =>
          showOpportunity(tx, await getOpportunity(tx, request.params.opportunity_id), clock.now()),
        ),
    })

    app.route({
      method: 'PATCH',
      url: '/api/opportunities/:opportunity_id',
      config: { scope: 'opportunities.write' },
      schema: {
        operationId: 'changeOpportunity',
        summary: 'Change a deal, or move it to another stage',
        description:
          'A stage brings its probability and category; what was set by hand before is dropped. ' +
          'Winning needs an `amount` and sets `close_on` to today, losing needs a `lost_reason`. ' +
          'What has ended is opened again by its owner or a manager, with a `close_on` that is not over.',
        params: OpportunityParams,
        body: OpportunityChanges,
        response: { 200: Opportunity },
      },
      handler: (request) => {
        const change = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant(async (tx) => {
          const deal = await changeOpportunity(tx, request.actor, request.params.opportunity_id, change, services)
          return showOpportunity(tx, deal, clock.now())
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
        description: 'It can be restored for 30 days.',
        params: OpportunityParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const deletion = { expectedVersion: expectedVersion(request), now: clock.now() }
        await request.inTenant((tx) => deleteOpportunity(tx, request.actor, request.params.opportunity_id, deletion))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/opportunities/:opportunity_id/restore',
      config: { scope: 'opportunities.write' },
      schema: {
        operationId: 'restoreOpportunity',
        summary: 'Bring a deleted deal back',
        params: OpportunityParams,
        response: { 200: Opportunity },
      },
      handler: (request) =>
        request.inTenant(async (tx) => {
          const deal = await restoreOpportunity(tx, request.actor, request.params.opportunity_id, clock.now())
          return showOpportunity(tx, deal, clock.now())
        }),
    })
  }

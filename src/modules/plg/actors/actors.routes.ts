import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import {
  ActorChanges,
  ActorListQuery,
  ActorParams,
  ActorQuery,
  UsageActor,
  UsageActorDetails,
} from './actors.schemas.ts'
import { getUsageActor, listUsageActors, updateUsageActor } from './actors.service.ts'

export const actorRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/tenant/plg/actors',
      config: { scope: 'plg.read' },
      schema: {
        operationId: 'listUsageActors',
        summary: 'List people and accounts',
        description: 'People and accounts of your product, those seen last first.',
        querystring: ActorListQuery,
        response: { 200: pageOf(UsageActor) },
      },
      handler: (request) => request.inTenant((tx) => listUsageActors(tx, request.query)),
    })

    app.route({
      method: 'GET',
      url: '/api/tenant/plg/actors/:actor_id',
      config: { scope: 'plg.read' },
      schema: {
        operationId: 'getUsageActor',
        summary: 'Get a person or account',
        description: 'With the newest 50 events and their properties.',
        params: ActorParams,
        querystring: ActorQuery,
        response: { 200: UsageActorDetails },
      },
      handler: (request) => {
        const read = { eventsCursor: request.query.events_cursor, now: clock.now() }
        return request.inTenant((tx) => getUsageActor(tx, request.params.actor_id, read))
      },
    })

    app.route({
      method: 'PATCH',
      url: '/api/tenant/plg/actors/:actor_id',
      config: { scope: 'plg.write', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'updateUsageActor',
        summary: 'Update a person or account',
        description: 'Changes the links to a contact, a lead and an account. Changed links are locked.',
        params: ActorParams,
        body: ActorChanges,
        response: { 200: UsageActor },
      },
      handler: (request) => {
        const update = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => updateUsageActor(tx, request.params.actor_id, update))
      },
    })
  }

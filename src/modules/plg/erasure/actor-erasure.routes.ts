import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { ActorParams } from '../actors/actors.schemas.ts'
import { deleteUsageActor } from './erase-actor.service.ts'

export const actorErasureRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'DELETE',
      url: '/api/tenant/plg/actors/:actor_id',
      config: { scope: 'plg.delete', roles: ['manager', 'admin'] },
      schema: {
        operationId: 'deleteUsageActor',
        summary: 'Delete a person or account',
        description:
          'Erases the ref, the traits, the links and the properties of the events; the numbers stay. It cannot be undone.',
        params: ActorParams,
        response: { 204: Type.Null() },
      },
      handler: (request) => {
        const options = { expectedVersion: expectedVersion(request), now: clock.now() }
        return request.inTenant((tx) => deleteUsageActor(tx, request.params.actor_id, options))
      },
    })
  }

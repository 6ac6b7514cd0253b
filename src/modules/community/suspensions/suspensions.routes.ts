import { Type } from 'typebox'
import type { Role } from '#platform/access'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { CommunitySuspension, NewSuspension, SuspensionParams, SuspensionQuery } from './suspensions.schemas.ts'
import {
  deleteCommunitySuspension,
  listCommunitySuspensions,
  replaceCommunitySuspension,
} from './suspensions.service.ts'

const roles: Role[] = ['admin', 'manager']

export const suspensionRoutes =
  ({ clock }: Pick<Services, 'clock'>): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/community/suspensions',
      config: { scope: 'community.read', roles },
      schema: {
        operationId: 'listCommunitySuspensions',
        summary: 'List suspended users',
        description:
          'Newest first, with suspensions that have ended until they are replaced or deleted. For managers and admins.',
        querystring: SuspensionQuery,
        response: { 200: pageOf(CommunitySuspension) },
      },
      handler: (request) => request.inTenant((tx) => listCommunitySuspensions(tx, request.query, clock.now())),
    })

    app.route({
      method: 'PUT',
      url: '/api/community/suspensions/:user_id',
      config: { scope: 'community.write', roles },
      schema: {
        operationId: 'replaceCommunitySuspension',
        summary: 'Replace the suspension of a user',
        description:
          'Requires `reason`. The user can read community rooms, but cannot write, report or moderate (403 `community_suspended`). ' +
          'Managers can suspend members and viewers, admins every other user.',
        params: SuspensionParams,
        body: NewSuspension,
        response: { 200: CommunitySuspension },
      },
      handler: (request) => {
        const input = { suspension: request.body, expectedVersion: expectedVersion(request), now: clock.now() }
        return request.inTenant((tx) => replaceCommunitySuspension(tx, request.actor, request.params.user_id, input))
      },
    })

    app.route({
      method: 'DELETE',
      url: '/api/community/suspensions/:user_id',
      config: { scope: 'community.delete', roles },
      schema: {
        operationId: 'deleteCommunitySuspension',
        summary: 'Delete the suspension of a user',
        description: 'The user can write again. Managers and admins can end the suspensions that they may create.',
        params: SuspensionParams,
        response: { 204: Type.Null() },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          deleteCommunitySuspension(tx, request.actor, request.params.user_id, expectedVersion(request)),
        ),
    })
  }

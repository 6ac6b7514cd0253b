import { Type } from 'typebox'
import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { listOf } from '#platform/schema'
import { createAuthServices } from '../../credentials/tokens/auth-services.ts'
import { SessionsRevoked } from '../../workspace/sessions/sessions.schemas.ts'
import { OwnSession, Reauthenticated, Reauthentication, SessionParams } from './own-sessions.schemas.ts'
import { listOwnSessions, revokeOtherSessions, revokeOwnSession } from './own-sessions.service.ts'
import { reauthenticate } from './reauthenticate.flow.ts'

export const ownSessionsRoutes = (services: Services): Routes => {
  const auth = createAuthServices(services)
  const { clock } = services
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/api/auth/sessions',
      config: { signedIn: true, limitedSession: true, tag: 'auth' },
      schema: {
        operationId: 'listOwnSessions',
        summary: 'List your sessions',
        response: { 200: listOf(OwnSession) },
      },
      handler: (request) => request.inTenant((tx) => listOwnSessions(tx, request.actor, clock.now())),
    })

    app.route({
      method: 'DELETE',
      url: '/api/auth/sessions/:session_id',
      config: { signedIn: true, limitedSession: true, tag: 'auth' },
      schema: {
        operationId: 'revokeOwnSession',
        summary: 'Revoke one of your sessions',
        params: SessionParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const { session_id } = request.params
        await request.inTenant((tx) => revokeOwnSession(tx, request.actor, session_id, clock.now()))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/auth/sessions/revoke-others',
      config: { signedIn: true, limitedSession: true, tag: 'auth' },
      schema: {
        operationId: 'revokeOtherSessions',
        summary: 'Revoke all your other sessions',
        response: { 200: SessionsRevoked },
      },
      handler: (request) => request.inTenant((tx) => revokeOtherSessions(tx, request.actor, clock.now())),
    })

    app.route({
      method: 'POST',
      url: '/api/auth/reauthenticate',
      config: { signedIn: true, limitedSession: true, tag: 'auth' },
      schema: {
        operationId: 'reauthenticate',
        summary: 'Confirm your password',
        description: 'Allows actions that require a recent sign-in in this session for the next 15 minutes.',
        body: Reauthentication,
        response: { 200: Reauthenticated },
      },
      handler: (request) => reauthenticate(auth, request.actor, request.body.password),
    })
  }
}

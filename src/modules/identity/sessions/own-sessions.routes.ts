import { Type } from 'typebox'
import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { setOf } from '#platform/schema'
import { openAuth } from '../auth/auth-services.ts'
import { SessionsRevoked } from '../users/user-activity.schemas.ts'
import { OwnSession, Reauthenticated, Reauthentication, SessionParams } from './own-sessions.schemas.ts'
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions.service.ts'
import { reauthenticate } from './reauthenticate.flow.ts'

/** Where I am signed in, and that it is me. */
export const ownSessionsRoutes = (services: Services): Routes => {
  const auth = openAuth(services)
  const { clock } = services
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/api/auth/sessions',
      config: { signedIn: true, limitedSession: true, tag: 'auth' },
      schema: {
        operationId: 'listOwnSessions',
        summary: 'Where you are signed in',
        response: { 200: setOf(OwnSession) },
      },
      handler: (request) => request.inTenant((tx) => listOwnSessions(tx, request.actor, clock.now())),
    })

    app.route({
      method: 'DELETE',
      url: '/api/auth/sessions/:session_id',
      config: { signedIn: true, limitedSession: true, tag: 'auth' },
      schema: {
        operationId: 'endOwnSession',
        summary: 'Sign out somewhere else',
        params: SessionParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const { session_id } = request.params
        await request.inTenant((tx) => endOwnSession(tx, request.actor, session_id, clock.now()))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/auth/sessions/revoke-others',
      config: { signedIn: true, limitedSession: true, tag: 'auth' },
      schema: {
        operationId: 'endOtherSessions',
        summary: 'Sign out everywhere but here',
        response: { 200: SessionsRevoked },
      },
      handler: (request) => request.inTenant((tx) => endOtherSessions(tx, request.actor, clock.now())),
    })

    app.route({
      method: 'POST',
      url: '/api/auth/reauthenticate',
      config: { signedIn: true, limitedSession: true, tag: 'auth' },
      schema: {
        operationId: 'reauthenticate',
        summary: 'Prove that it is still you',
        description: 'What needs a fresh login is possible in this session for the next 15 minutes.',
        body: Reauthentication,
        response: { 200: Reauthenticated },
      },
      handler: (request) => reauthenticate(auth, request.actor, request.body.password),
    })
  }
}

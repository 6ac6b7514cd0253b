import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { UserParams } from '../../workspace/user-records/users.schemas.ts'
import { ActiveSessions, ActiveSessionsQuery, Login, LoginHistoryQuery } from './user-activity.schemas.ts'
import { listActiveSessions, listUserLogins } from './user-activity.service.ts'

export const userActivityRoutes =
  ({ clock }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/users/admin/active-sessions',
      config: { scope: 'users.read', roles: ['admin'] },
      schema: {
        operationId: 'listActiveSessions',
        summary: 'List active sessions',
        description:
          'Lists users with a session used within the threshold, most recently active first, with up to ten sessions each.',
        querystring: ActiveSessionsQuery,
        response: { 200: ActiveSessions },
      },
      handler: (request) => request.inTenant((tx) => listActiveSessions(tx, request.query, clock.now())),
    })

    app.route({
      method: 'GET',
      url: '/api/users/:user_id/login-history',
      config: { scope: 'users.read' },
      schema: {
        operationId: 'listUserLogins',
        summary: "List a user's sign-ins",
        description:
          'Lists successful and failed sign-ins, newest first. Users see their own; other users’ sign-ins require the role admin.',
        params: UserParams,
        querystring: LoginHistoryQuery,
        response: { 200: pageOf(Login) },
      },
      handler: (request) =>
        request.inTenant((tx) => listUserLogins(tx, request.actor, request.params.user_id, request.query)),
    })
  }

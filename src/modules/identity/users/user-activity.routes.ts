import { Type } from 'typebox'
import { asArray, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { listActiveSessions } from './active-sessions.service.ts'
import { forecastUsers } from './forecast-users.service.ts'
import { readLoginHistory } from './login-history.service.ts'
import { Profile, ProfileQuery } from './profile.schemas.ts'
import { getProfile } from './profile.service.ts'
import {
  ActiveSessions,
  ActiveSessionsQuery,
  ForecastQuery,
  ForecastUser,
  Login,
  LoginHistoryQuery,
} from './user-activity.schemas.ts'
import { UserParams } from './users.schemas.ts'

/** What people do and what comes of it. */
export const userActivityRoutes =
  ({ clock, cache, registry }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/users/admin/active-sessions',
      config: { scope: 'users.read', roles: ['admin'] },
      schema: {
        operationId: 'listActiveSessions',
        summary: 'List who is online',
        querystring: ActiveSessionsQuery,
        response: { 200: ActiveSessions },
      },
      handler: (request) => request.inTenant((tx) => listActiveSessions(tx, request.query, clock.now())),
    })

    app.route({
      method: 'GET',
      url: '/api/users/forecast-users',
      config: { scope: 'users.read' },
      schema: {
        operationId: 'forecastUsers',
        summary: 'List the people of the forecast with their figures of this fiscal quarter',
        querystring: ForecastQuery,
        response: { 200: Type.Array(ForecastUser) },
      },
      handler: async (request) => {
        const circumstances = { source: registry.forecast, now: clock.now() }
        const { actor, query } = request
        return asArray(await request.inTenant((tx) => forecastUsers(tx, actor, query, circumstances)))
      },
    })

    app.route({
      method: 'GET',
      url: '/api/users/:user_id/login-history',
      config: { scope: 'users.read' },
      schema: {
        operationId: 'readLoginHistory',
        summary: 'List the sign-ins of a person, the newest first',
        params: UserParams,
        querystring: LoginHistoryQuery,
        response: { 200: pageOf(Login) },
      },
      handler: (request) =>
        request.inTenant((tx) => readLoginHistory(tx, request.actor, request.params.user_id, request.query)),
    })

    app.route({
      method: 'GET',
      url: '/api/users/:user_id/profile',
      config: { scope: 'users.read' },
      schema: {
        operationId: 'getProfile',
        summary: 'Get a person with their book of business',
        params: UserParams,
        querystring: ProfileQuery,
        response: { 200: Profile },
      },
      handler: (request) => {
        const { period_days: periodDays } = request.query
        const circumstances = { parts: registry.profileParts, cache, periodDays, now: clock.now() }
        return request.inTenant((tx) => getProfile(tx, request.actor, request.params.user_id, circumstances))
      },
    })
  }

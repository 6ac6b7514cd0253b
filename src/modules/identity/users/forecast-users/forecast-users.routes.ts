import { Type } from 'typebox'
import { type Routes, toArrayResponse } from '#platform/http'
import type { Services } from '#platform/module'
import { forecastSourcePoint } from './forecast-source.ts'
import { ForecastUser, ForecastUserFilter } from './forecast-users.schemas.ts'
import { listForecastUsers } from './forecast-users.service.ts'

export const forecastUsersRoutes =
  ({ clock, registry }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/users/forecast-users',
      config: { scope: 'users.read' },
      schema: {
        operationId: 'listForecastUsers',
        summary: 'List forecast users',
        description:
          'Lists active users with `forecast_participant`, by name, with their figures for the current fiscal quarter. Figures are null ' +
          'without the scope `opportunities.read`.',
        querystring: ForecastUserFilter,
        response: { 200: Type.Array(ForecastUser) },
      },
      handler: async (request) => {
        const context = { source: registry.extensionsOf(forecastSourcePoint)[0], now: clock.now() }
        const { actor, query } = request
        return toArrayResponse(await request.inTenant((tx) => listForecastUsers(tx, actor, query, context)))
      },
    })
  }

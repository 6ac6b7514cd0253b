import type { Clock } from '#platform/clock'
import type { Routes } from '#platform/http'
import { Forecast, ForecastQuery } from './forecast.schemas.ts'
import { forecastDeals } from './forecast.service.ts'

export const forecastRoutes =
  ({ clock }: { clock: Clock }): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/opportunities/forecast',
      config: { scope: 'opportunities.read' },
      schema: {
        operationId: 'forecastDeals',
        summary: 'Forecast what deals will bring',
        description:
          'Deals that close between `from` and `to`, in the base currency; without a span, those of the present fiscal quarter. ' +
          '`commit_total` is what was won and what is committed, `best_case_total` adds the best case, ' +
          '`weighted` is what was won and every open deal at its probability, but for those that are omitted.',
        querystring: ForecastQuery,
        response: { 200: Forecast },
      },
      handler: (request) => request.inTenant((tx) => forecastDeals(tx, request.query, clock.now())),
    })
  }

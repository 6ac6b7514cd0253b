import type { Clock } from '#platform/clock'
import type { Routes } from '#platform/http'
import { Forecast, ForecastQuery } from './forecast.schemas.ts'
import { getOpportunityForecast } from './forecast.service.ts'

export const forecastRoutes =
  ({ clock }: { clock: Clock }): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/opportunities/forecast',
      config: { scope: 'opportunities.read' },
      schema: {
        operationId: 'getOpportunityForecast',
        summary: 'Get the deal forecast',
        description:
          'Deals with `close_on` between `from` and `to` (default: the current fiscal quarter, at most 400 days), in the base ' +
          'currency. ' +
          '`commit_total` is closed plus commit, `best_case_total` adds best case, and `weighted` is closed plus every ' +
          'open deal multiplied by its probability, without omitted deals.',
        querystring: ForecastQuery,
        response: { 200: Forecast },
      },
      handler: (request) => request.inTenant((tx) => getOpportunityForecast(tx, request.query, clock.now())),
    })
  }

import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { Insights, InsightsQuery } from './insights.schemas.ts'
import { getEnablementInsights } from './insights.service.ts'

export const insightRoutes =
  ({ clock, cache }: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enablement/insights',
      config: { scope: 'insights.read' },
      schema: {
        operationId: 'getEnablementInsights',
        summary: 'Get insights of enablement',
        description:
          'Content that goes with won deals, adoption, missing and outdated content, and the use by teams. The period of 90 days is refreshed every 15 minutes after changes; other periods and single teams are calculated for the response, from influences of the last refresh, and cached for 30 seconds. Amounts are in the base currency. Names of owners are shown to managers, admins and leads of their team.',
        querystring: InsightsQuery,
        response: { 200: Insights },
      },
      handler: (request) =>
        request.inTenant((tx) => getEnablementInsights(tx, request.actor, request.query, { clock, cache })),
    })
  }

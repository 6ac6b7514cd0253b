import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { ItemParams } from '../content/content.schemas.ts'
import { AnalyticsQuery, ContentAnalytics } from './analytics.schemas.ts'
import { getContentAnalytics } from './analytics.service.ts'

export const contentAnalyticsRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enablement/content/:item_id/analytics',
      config: { scope: 'content.read' },
      schema: {
        operationId: 'getContentAnalytics',
        summary: 'Get analytics of a content item',
        description:
          'Views, time and influence on deals. New views are included within a minute. Bots and downloads without sign-in never count as views.',
        params: ItemParams,
        querystring: AnalyticsQuery,
        response: { 200: ContentAnalytics },
      },
      handler: (request) =>
        request.inTenant((tx) => getContentAnalytics(tx, services, request.params.item_id, request.query)),
    })
  }

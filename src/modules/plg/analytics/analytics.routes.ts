import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { readNumbers } from './analytics.flow.ts'
import { getUsageFunnel, getUsageRetention } from './analytics.service.ts'
import { DashboardQuery, UsageDashboard } from './dashboard.schemas.ts'
import { getUsageDashboard } from './dashboard.service.ts'
import { UsageFunnel, UsageFunnelQuery } from './funnels.schemas.ts'
import { UsageRetention, UsageRetentionQuery } from './retention.schemas.ts'

export const usageAnalyticsRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/tenant/plg/dashboard',
      config: { scope: 'plg.read' },
      schema: {
        operationId: 'getUsageDashboard',
        summary: 'Get the usage dashboard',
        description:
          'Active people, growth, activation, qualified leads and events. A day is a day in the time zone of the workspace, a week begins on Monday. Changes compare complete days only.',
        querystring: DashboardQuery,
        response: { 200: UsageDashboard },
      },
      handler: ({ actor, query: { period } }) =>
        readNumbers(services, {
          actor,
          name: `dashboard:${period}`,
          load: (tx, now) => getUsageDashboard(tx, period, now),
        }),
    })

    app.route({
      method: 'GET',
      url: '/api/tenant/plg/funnels',
      config: { scope: 'plg.read' },
      schema: {
        operationId: 'getUsageFunnel',
        summary: 'Get a usage funnel',
        description:
          'How many people or accounts did the events one after the other. `steps` is required. Each step follows the newest attempt, and one event counts for one step only.',
        querystring: UsageFunnelQuery,
        response: { 200: UsageFunnel },
      },
      handler: ({ actor, query }) =>
        readNumbers(services, {
          actor,
          name: `funnel:${JSON.stringify(query)}`,
          load: (tx, now) => getUsageFunnel(tx, query, now),
        }),
    })

    app.route({
      method: 'GET',
      url: '/api/tenant/plg/retention',
      config: { scope: 'plg.read' },
      schema: {
        operationId: 'getUsageRetention',
        summary: 'Get usage retention',
        description:
          'Groups people or accounts by the period of their first activity, and counts how many of them were active in the periods after it.',
        querystring: UsageRetentionQuery,
        response: { 200: UsageRetention },
      },
      handler: ({ actor, query }) =>
        readNumbers(services, {
          actor,
          name: `retention:${JSON.stringify(query)}`,
          load: (tx, now) => getUsageRetention(tx, query, now),
        }),
    })
  }

import type { Clock } from '#platform/clock'
import type { Routes } from '#platform/http'
import { AnalyticsQuery, KpiQuery, LeadAnalytics, LeadKpis, SourceReturns, SourcesQuery } from './analytics.schemas.ts'
import { getLeadAnalytics } from './get-lead-analytics.service.ts'
import { getLeadKpis } from './get-lead-kpis.service.ts'
import { listLeadSources } from './list-lead-sources.service.ts'

export const analyticsRoutes =
  ({ clock }: { clock: Clock }): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/leads/kpis',
      config: { scope: 'leads.read' },
      schema: {
        operationId: 'getLeadKpis',
        summary: 'Get lead KPIs',
        description:
          'Counts are exact and cover all leads. The period is the last `period_days` days up to today in the time zone of the ' +
          'workspace; `created`, `converted` and all rates and medians cover the leads created in it. ' +
          '`previous` is the period of the same length before it.',
        querystring: KpiQuery,
        response: { 200: LeadKpis },
      },
      handler: (request) => request.inTenant((tx) => getLeadKpis(tx, request.actor, request.query, clock.now())),
    })

    app.route({
      method: 'GET',
      url: '/api/leads/sources',
      config: { scope: 'leads.read' },
      schema: {
        operationId: 'listLeadSources',
        summary: 'List lead sources with results',
        description:
          'Covers leads created from `from` to `to`, both included; without them all leads. `cost` is the spend of the months that ' +
          'begin within the range. Amounts are in the base currency.',
        querystring: SourcesQuery,
        response: { 200: SourceReturns },
      },
      handler: (request) => request.inTenant((tx) => listLeadSources(tx, request.query, clock.now())),
    })

    app.route({
      method: 'GET',
      url: '/api/leads/analytics',
      config: { scope: 'leads.read' },
      schema: {
        operationId: 'getLeadAnalytics',
        summary: 'Get lead analytics for a date range',
        description:
          'Funnel, sources, speed to lead, owner fairness and trend of the leads created from `from` to `to`, both included. ' +
          'The range defaults to the last 90 days and must not exceed 730 days.',
        querystring: AnalyticsQuery,
        response: { 200: LeadAnalytics },
      },
      handler: (request) => request.inTenant((tx) => getLeadAnalytics(tx, request.actor, request.query, clock.now())),
    })
  }

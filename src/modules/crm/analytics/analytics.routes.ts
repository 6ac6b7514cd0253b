import type { Clock } from '#platform/clock'
import type { Routes } from '#platform/http'
import { AnalyticsQuery, KpiQuery, LeadAnalytics, LeadKpis, SourceReturns, SourcesQuery } from './analytics.schemas.ts'
import { analyseLeads } from './analytics.service.ts'
import { leadKpis } from './kpis.service.ts'
import { listSources } from './sources.service.ts'

export const analyticsRoutes =
  ({ clock }: { clock: Clock }): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/leads/kpis',
      config: { scope: 'leads.read' },
      schema: {
        operationId: 'leadKpis',
        summary: 'See how the leads stand',
        description:
          'Counts of all leads, exact at the moment of asking. The period is so many days up to today, in the time zone of the ' +
          'workspace; `converted` and all rates and medians are of the leads created in it. What is `previous` is of as many days before.',
        querystring: KpiQuery,
        response: { 200: LeadKpis },
      },
      handler: (request) => request.inTenant((tx) => leadKpis(tx, request.actor, request.query, clock.now())),
    })

    app.route({
      method: 'GET',
      url: '/api/leads/sources',
      config: { scope: 'leads.read' },
      schema: {
        operationId: 'listSources',
        summary: 'List where leads come from, and what they brought',
        description:
          'Of leads created between `from` and `to`, both included; `cost` is what was spent in the months that begin between them. ' +
          'Amounts are in the base currency.',
        querystring: SourcesQuery,
        response: { 200: SourceReturns },
      },
      handler: (request) => request.inTenant((tx) => listSources(tx, request.query, clock.now())),
    })

    app.route({
      method: 'GET',
      url: '/api/leads/analytics',
      config: { scope: 'leads.read' },
      schema: {
        operationId: 'analyseLeads',
        summary: 'See what became of the leads of some time',
        description:
          'Of leads created between `from` and `to`, both included, at most 730 days, unless said otherwise the last 90: how far they ' +
          'came, where they came from, how soon they were answered, how evenly they are spread over people, and how that developed.',
        querystring: AnalyticsQuery,
        response: { 200: LeadAnalytics },
      },
      handler: (request) => request.inTenant((tx) => analyseLeads(tx, request.actor, request.query, clock.now())),
    })
  }

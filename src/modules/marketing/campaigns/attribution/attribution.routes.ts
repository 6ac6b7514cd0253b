import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { CampaignKpis, InfluencedOpportunity, InfluencedQuery, KpiParams, KpiQuery } from './attribution.schemas.ts'
import { listCampaignOpportunities } from './influenced-opportunities.service.ts'
import { getCampaignKpis } from './kpis.service.ts'

export const attributionRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/campaigns/:campaign_id/kpis',
      config: { scope: 'campaigns.read' },
      schema: {
        operationId: 'getCampaignKpis',
        summary: 'Get KPIs of a campaign',
        description:
          'Amounts are in the base currency of the workspace. Deals are attributed within a minute after a change. ' +
          'With `include_children`, a person who is a member of several campaigns counts once per campaign.',
        params: KpiParams,
        querystring: KpiQuery,
        response: { 200: CampaignKpis },
      },
      handler: (request) =>
        request.inTenant((tx) => getCampaignKpis(tx, request.params.campaign_id, request.query, services)),
    })

    app.route({
      method: 'GET',
      url: '/api/campaigns/:campaign_id/opps',
      config: { scope: 'campaigns.read', scopes: ['opportunities.read'] },
      schema: {
        operationId: 'listCampaignOpportunities',
        summary: 'List deals influenced by a campaign',
        description:
          'Ordered by amount in the base currency, largest first. `credit` has the share of the campaign per model.',
        params: KpiParams,
        querystring: InfluencedQuery,
        response: { 200: pageOf(InfluencedOpportunity) },
      },
      handler: (request) =>
        request.inTenant((tx) => listCampaignOpportunities(tx, request.params.campaign_id, request.query)),
    })
  }

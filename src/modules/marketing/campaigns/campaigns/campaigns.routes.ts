import { Type } from 'typebox'
import { expectedVersion, type Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { pageOf } from '#platform/schema'
import { getCampaign, listCampaigns } from './campaign-details.service.ts'
import {
  Campaign,
  CampaignChanges,
  CampaignClone,
  CampaignParams,
  CampaignQuery,
  CampaignTypes,
  ListedCampaign,
  NewCampaign,
} from './campaigns.schemas.ts'
import { cloneCampaign, createCampaign } from './create-campaign.service.ts'
import { listCampaignTypes } from './default-statuses.rules.ts'
import { deleteCampaign } from './delete-campaign.service.ts'
import { updateCampaign } from './update-campaign.service.ts'

export const campaignRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/campaigns/',
      config: { scope: 'campaigns.read' },
      schema: {
        operationId: 'listCampaigns',
        summary: 'List campaigns',
        description:
          'Ordered by status (active, scheduled, paused, draft, completed, cancelled, archived), then by `start_on`, latest first.',
        querystring: CampaignQuery,
        response: { 200: pageOf(ListedCampaign) },
      },
      handler: (request) => request.inTenant((tx) => listCampaigns(tx, request.actor, request.query)),
    })

    app.route({
      method: 'POST',
      url: '/api/campaigns/',
      config: { scope: 'campaigns.write' },
      schema: {
        operationId: 'createCampaign',
        summary: 'Create a campaign',
        description:
          'Requires `name` and `type`. The campaign is a draft. `name` must be unique among campaigns that are not archived, ' +
          '`utm_campaign` among those that take members. Without `member_statuses`, those of the type are used.',
        body: NewCampaign,
        response: { 201: Campaign },
      },
      handler: (request) => request.inTenant((tx) => createCampaign(tx, request.actor, request.body, services)),
    })

    app.route({
      method: 'GET',
      url: '/api/campaigns/types',
      config: { scope: 'campaigns.read' },
      schema: {
        operationId: 'listCampaignTypes',
        summary: 'List campaign types',
        description: 'With the default member statuses of each type, in ascending rank.',
        response: { 200: CampaignTypes },
      },
      handler: async () => listCampaignTypes(),
    })

    app.route({
      method: 'GET',
      url: '/api/campaigns/:campaign_id',
      config: { scope: 'campaigns.read' },
      schema: {
        operationId: 'getCampaign',
        summary: 'Get a campaign',
        params: CampaignParams,
        response: { 200: Campaign },
      },
      handler: (request) => request.inTenant((tx) => getCampaign(tx, request.params.campaign_id)),
    })

    app.route({
      method: 'PATCH',
      url: '/api/campaigns/:campaign_id',
      config: { scope: 'campaigns.write' },
      schema: {
        operationId: 'updateCampaign',
        summary: 'Update a campaign',
        description:
          'A scheduled campaign needs a `start_on` in the future. Only managers can reactivate a completed campaign. ' +
          'The `type` cannot change while the campaign has members, and a member status in use cannot be removed.',
        params: CampaignParams,
        body: CampaignChanges,
        response: { 200: Campaign },
      },
      handler: (request) => {
        const update = { changes: request.body, expectedVersion: expectedVersion(request) }
        return request.inTenant((tx) => updateCampaign(tx, request.actor, request.params.campaign_id, update, services))
      },
    })

    app.route({
      method: 'POST',
      url: '/api/campaigns/:campaign_id/clone',
      config: { scope: 'campaigns.write' },
      schema: {
        operationId: 'cloneCampaign',
        summary: 'Clone a campaign',
        description:
          'Creates a draft that belongs to the caller, with type, description, budget, expected revenue and responses, parent, source, ' +
          'member statuses and tags of the campaign. Dates, actual cost, `utm_campaign`, members, segment flows and attribution are ' +
          'not copied. `name` must be unique among campaigns that are not archived.',
        params: CampaignParams,
        body: CampaignClone,
        response: { 201: Campaign },
      },
      handler: (request) =>
        request.inTenant((tx) => cloneCampaign(tx, request.actor, request.params.campaign_id, request.body, services)),
    })

    app.route({
      method: 'DELETE',
      url: '/api/campaigns/:campaign_id',
      config: { scope: 'campaigns.delete' },
      schema: {
        operationId: 'deleteCampaign',
        summary: 'Delete a campaign',
        description:
          'Only drafts and campaigns without members that influenced no closed deal; archive others instead. ' +
          'The attribution of open deals is calculated again. Members delete their own campaigns.',
        params: CampaignParams,
        response: { 204: Type.Null() },
      },
      handler: async (request) => {
        const options = { expectedVersion: expectedVersion(request) }
        await request.inTenant((tx) => deleteCampaign(tx, request.actor, request.params.campaign_id, options))
      },
    })
  }

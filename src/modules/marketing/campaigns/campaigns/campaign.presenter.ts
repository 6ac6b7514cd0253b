import { definePresenter } from '#platform/module'
import { listCampaignsById } from './campaign-details.service.ts'
import { Campaign } from './campaigns.schemas.ts'

export const campaignPresenter = definePresenter({
  subjectType: 'campaign',
  schema: Campaign,
  list: async (tx, ids) => (await listCampaignsById(tx, ids)).map((campaign) => [campaign.id, campaign]),
})

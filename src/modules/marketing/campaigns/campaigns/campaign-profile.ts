import type { ProfilePart } from '#modules/identity'
import { countActiveCampaigns } from './campaigns.queries.ts'

export const campaignProfilePart: ProfilePart = {
  name: 'campaigns',
  scope: 'campaigns.read',
  load: async (tx, _viewer, userId) => ({ active: await countActiveCampaigns(tx, userId) }),
}

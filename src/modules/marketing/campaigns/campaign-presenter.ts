import type { EventPresenter } from '#platform/module'
import { presentCampaigns } from './campaign-details.service.ts'
import { Campaign } from './campaigns.schemas.ts'

export const campaignPresenter: EventPresenter = { subjectType: 'campaign', schema: Campaign, list: presentCampaigns }

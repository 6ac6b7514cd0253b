import { cadencePresenter } from './cadences/cadences/cadence.presenter.ts'
import { campaignPresenter } from './campaigns/campaigns/campaign.presenter.ts'
import { enrichmentPresenters } from './enrichment/enrichment.presenters.ts'
import { segmentPresenter } from './segments/segments/segment.presenter.ts'

export const marketingPresenters = [segmentPresenter, campaignPresenter, cadencePresenter, ...enrichmentPresenters]

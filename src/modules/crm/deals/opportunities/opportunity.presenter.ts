import { definePresenter } from '#platform/module'
import { Opportunity } from './opportunities.schemas.ts'
import { listOpportunityDetails } from './opportunity-details.service.ts'

export const opportunityPresenter = definePresenter({
  subjectType: 'opportunity',
  schema: Opportunity,
  list: async (tx, ids, now) => (await listOpportunityDetails(tx, ids, now)).map((deal) => [deal.id, deal]),
})

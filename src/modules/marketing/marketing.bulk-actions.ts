import { contactBulkActionPoint, leadBulkActionPoint } from '#modules/crm'
import { extend } from '#platform/module'
import { enrollCadenceActions } from './cadences/cadence-enrollments/enroll-cadence-action.ts'
import { addToCampaignActions } from './campaigns/campaign-members/campaign-target.ts'
import { enrichLeadsAction } from './enrichment/jobs/enrich-many.service.ts'

export const marketingBulkActions = [
  extend(leadBulkActionPoint, [enrichLeadsAction, addToCampaignActions.lead, enrollCadenceActions.lead]),
  extend(contactBulkActionPoint, [addToCampaignActions.contact, enrollCadenceActions.contact]),
]

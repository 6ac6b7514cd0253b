import { defineRecordCheck } from '#platform/module'
import { correctCampaignCounts, listCampaignCountDrift } from './campaign-counts.queries.ts'

export const campaignCountersCheck = defineRecordCheck({
  code: 'counter_drift',
  title: 'Counter that differs from the records',
  severity: 'warning',
  hint: 'Count the records again.',
  resourceType: 'campaign',
  find: listCampaignCountDrift,
  repair: correctCampaignCounts,
})

import { replaceTags } from '#modules/crm'
import { recordAudit } from '#platform/audit'
import { acquireAdvisoryLock } from '#platform/db'
import type { IntegrityRun, RecordReference } from '#platform/module'
import { deleteCampaignRow } from '../campaigns/campaigns/campaigns.queries.ts'
import { hasFrozenTouches, markDealsOfCampaign } from '../campaigns/campaigns/existing-records.queries.ts'
import { stopFlowsIntoCampaign } from '../segments/continuous-enrollment/segment-flows.subscriptions.ts'
import { invalidateSegmentsOfCampaign } from '../segments/segments/review-segments.jobs.ts'

/** Members and touches of open deals are deleted with their campaign. A campaign with a share of another closed deal is kept. */
export async function removeSampleCampaigns(
  { inTenant, signal }: IntegrityRun,
  records: readonly RecordReference[],
): Promise<RecordReference[]> {
  const idsOf = (type: string) => records.filter(({ resource_type }) => resource_type === type).map(({ id }) => id)
  const sampleDeals = { exceptDealIds: idsOf('opportunity') }
  const kept: RecordReference[] = []
  for (const id of idsOf('campaign')) {
    signal.throwIfAborted()
    const isKept = await inTenant(async (tx) => {
      await acquireAdvisoryLock(tx, 'attribution')
      if (await hasFrozenTouches(tx, id, sampleDeals)) return true
      await markDealsOfCampaign(tx, id)
      await replaceTags(tx, 'campaign', id, [])
      await deleteCampaignRow(tx, id)
      await invalidateSegmentsOfCampaign(tx, id)
      await stopFlowsIntoCampaign(tx, id)
      await recordAudit(tx, 'campaign.sample_removed', { id, label: 'Sample data' })
      return false
    })
    if (isKept) kept.push({ resource_type: 'campaign', id })
  }
  return kept
}

import { replaceTags } from '#modules/crm'
import { recordAudit } from '#platform/audit'
import type { IntegrityRun, RecordReference } from '#platform/module'
import { deleteCampaignRow } from '../campaigns/campaigns.queries.ts'

/** Members and touches of deals are deleted with their campaign. */
export async function removeSampleCampaigns(
  { inTenant, signal }: IntegrityRun,
  records: readonly RecordReference[],
): Promise<RecordReference[]> {
  const ids = records.filter(({ resource_type }) => resource_type === 'campaign').map(({ id }) => id)
  for (const id of ids) {
    signal.throwIfAborted()
    await inTenant(async (tx) => {
      await replaceTags(tx, 'campaign', id, [])
      await deleteCampaignRow(tx, id)
      await recordAudit(tx, 'campaign.sample_removed', { id, label: 'Sample data' })
    })
  }
  return []
}

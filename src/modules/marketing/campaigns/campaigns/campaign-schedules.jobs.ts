import { timezoneOf } from '#modules/identity'
import { recordAudit } from '#platform/audit'
import { dayInTimezone } from '#platform/calendar'
import { retryOnContention, type TenantTx } from '#platform/db'
import { defineFrequentTenantSchedule, defineTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { emitMany } from '#platform/outbox'
import { campaignStatusChanged } from '../../marketing.events.ts'
import { foldCampaignCounts, listCampaignsWithNewCounts, listTenantsWithNewCounts } from './campaign-counts.queries.ts'
import { listTenantsWithDueCampaigns, lockDueCampaigns, updateCampaignRow } from './campaigns.queries.ts'

const batchSize = 500

/** Starts scheduled campaigns on their first day and completes active ones after their last day, in the time zone of the workspace. */
export const advanceCampaignsSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineTenantSchedule('marketing.advance_campaigns', '1 * * * *', {
    listTenants: (tx) => listTenantsWithDueCampaigns(tx, clock.now()),
    async runForTenant({ inTenant, signal }) {
      do signal.throwIfAborted()
      while (await retryOnContention(() => inTenant((tx) => advanceDueCampaigns(tx, clock.now())), signal))
    },
  })

async function advanceDueCampaigns(tx: TenantTx, now: Date): Promise<boolean> {
  const today = dayInTimezone(now, await timezoneOf(tx))
  const due = await lockDueCampaigns(tx, today)
  const changed = []
  for (const campaign of due) {
    const status = campaign.status === 'scheduled' ? 'active' : 'completed'
    const updated = await updateCampaignRow(tx, campaign.id, { status })
    await recordAudit(tx, 'campaign.updated', {
      id: campaign.id,
      label: campaign.name,
      before: campaign,
      after: updated,
    })
    changed.push({ subject: updated, data: { from: campaign.status, to: status } })
  }
  await emitMany(tx, campaignStatusChanged, changed)
  return due.length > 0
}

export const foldCampaignCountsSchedule = defineFrequentTenantSchedule('marketing.fold_campaign_counts', '* * * * *', {
  listTenants: listTenantsWithNewCounts,
  async runForTenant({ inTenant, signal }) {
    for (const id of await inTenant((tx) => listCampaignsWithNewCounts(tx, batchSize))) {
      signal.throwIfAborted()
      await inTenant((tx) => foldCampaignCounts(tx, id))
    }
  },
})

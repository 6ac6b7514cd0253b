import { timezoneOf } from '#modules/crm'
import { recordAudit } from '#platform/audit'
import { dayInTimezone } from '#platform/calendar'
import { retryOnContention, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { defineFrequentTenantSchedule, defineTenantSchedule, type JobContext } from '#platform/jobs'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { insertAttributionMarks } from '../attribution/marks.queries.ts'
import { listOpenAttributedDeals } from '../attribution/touches.queries.ts'
import { deleteMembersWithoutPerson } from '../campaign-members/members.queries.ts'
import { campaignStatusChanged } from '../marketing.events.ts'
import {
  correctCampaignCounts,
  foldCampaignCounts,
  listCampaignCountDrift,
  listCampaignsWithNewCounts,
  listTenantsWithNewCounts,
} from './campaign-counts.queries.ts'
import { lockDueCampaigns, updateCampaignRow } from './campaigns.queries.ts'
import { listTenantsWithCampaigns, listTenantsWithDueCampaigns } from './due-campaigns.queries.ts'

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
  for (const campaign of due) {
    const status = campaign.status === 'scheduled' ? 'active' : 'completed'
    const updated = await updateCampaignRow(tx, campaign.id, { status })
    await recordAudit(tx, 'campaign.updated', {
      id: campaign.id,
      label: campaign.name,
      before: campaign,
      after: updated,
    })
    await emit(tx, campaignStatusChanged, updated, { from: campaign.status, to: status })
  }
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

/** Triggers keep the counters exact; a difference is a defect, which is corrected and logged. */
export const checkCampaignsSchedule = defineTenantSchedule('marketing.check_campaigns', '37 2 * * *', {
  listTenants: listTenantsWithCampaigns,
  async runForTenant({ inTenant, signal, log }) {
    while ((await inTenant((tx) => deleteMembersWithoutPerson(tx, batchSize))) === batchSize) signal.throwIfAborted()
    const drifted = await inTenant((tx) => listCampaignCountDrift(tx, batchSize))
    const corrected = drifted.length ? await inTenant((tx) => correctCampaignCounts(tx, drifted)) : 0
    if (corrected) log.error({ corrected }, 'campaign counters differed from the members')
    await markOpenDeals({ inTenant, signal })
  },
})

/** Exchange rates and settings of the attribution change without an event per deal. */
async function markOpenDeals({ inTenant, signal }: Pick<JobContext, 'inTenant' | 'signal'>): Promise<void> {
  for (let after: string | undefined = nilUuid; after !== undefined; ) {
    signal.throwIfAborted()
    const from: string = after
    after = await inTenant(async (tx) => {
      const ids = await listOpenAttributedDeals(tx, from, batchSize)
      await insertAttributionMarks(
        tx,
        ids.map((record_id) => ({ record_type: 'opportunity', record_id })),
      )
      return ids.length === batchSize ? ids.at(-1) : undefined
    })
  }
}

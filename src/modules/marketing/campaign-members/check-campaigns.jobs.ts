import { nilUuid } from '#platform/ids'
import { defineTenantSchedule, type JobContext } from '#platform/jobs'
import { insertAttributionMarks } from '../attribution/marks.queries.ts'
import { listOpenAttributedDeals } from '../attribution/touches.queries.ts'
import { correctCampaignCounts, listCampaignCountDrift } from '../campaigns/campaign-counts.queries.ts'
import { listTenantsWithCampaigns } from '../campaigns/due-campaigns.queries.ts'
import { deleteMembersWithoutPerson } from './members.queries.ts'

const batchSize = 500

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

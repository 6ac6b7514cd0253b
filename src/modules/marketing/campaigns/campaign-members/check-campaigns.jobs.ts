import { daysLater } from '#platform/clock'
import { defineTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { correctCampaignCounts, listCampaignsWithChangedCounts } from '../campaigns/campaign-counts.queries.ts'
import { listTenantsWithCampaigns } from '../campaigns/campaigns.queries.ts'
import { deleteMembersWithoutPerson } from './members.queries.ts'

const batchSize = 500
/** Longer than the time between two runs. */
const checkedDays = 2

/** Triggers keep the counters exact; a difference is a defect, which is corrected and logged. One transaction per campaign. */
export const checkCampaignsSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineTenantSchedule('marketing.check_campaigns', '37 2 * * *', {
    listTenants: listTenantsWithCampaigns,
    async runForTenant({ inTenant, signal, log }) {
      while ((await inTenant((tx) => deleteMembersWithoutPerson(tx, batchSize))) === batchSize) signal.throwIfAborted()
      const since = daysLater(clock.now(), -checkedDays)
      let corrected = 0
      for (const id of await inTenant((tx) => listCampaignsWithChangedCounts(tx, since))) {
        signal.throwIfAborted()
        corrected += await inTenant((tx) => correctCampaignCounts(tx, [id]))
      }
      if (corrected) log.error({ corrected }, 'campaign counters differed from the members')
    },
  })

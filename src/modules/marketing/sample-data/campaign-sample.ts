import { daysLater } from '#platform/clock'
import type { SampleData, SampleRecord, SampleStep } from '#platform/module'
import { planCampaigns } from './campaign-plan.rules.ts'
import {
  addSampleMembers,
  completeSampleCampaign,
  createSampleCampaign,
  respondToSample,
  type SampleContext,
} from './create-sample.service.ts'
import { removeSampleCampaigns } from './remove-sample.service.ts'

/** Not more than crm creates. */
const counts = { contacts: 130, leads: 200 }

export const campaignSample: SampleData = {
  name: 'marketing',
  plan({ random, now, scale }) {
    const campaigns = planCampaigns({
      random,
      now,
      contactCount: Math.max(1, Math.floor(counts.contacts * scale)),
      leadCount: Math.max(1, Math.round(counts.leads * scale)),
    })
    return campaigns.flatMap((campaign) => {
      const { start, end, owner: author, respondents, isOver } = campaign
      const at = (time: Date, work: (context: SampleContext) => Promise<SampleRecord[]>): SampleStep => ({
        author,
        run: (tx, actor, idOf) => work({ tx, actor, idOf, now: time }),
      })
      return [
        at(start, (to) => createSampleCampaign(to, campaign)),
        at(start, (to) => addSampleMembers(to, campaign)),
        ...respondents.map(({ key, at: time }) => at(time, (to) => respondToSample(to, campaign, key))),
        ...(isOver ? [at(daysLater(end, 1), (to) => completeSampleCampaign(to, campaign))] : []),
      ]
    })
  },
  remove: removeSampleCampaigns,
}

import { listDealIdsOfPersons, refreshSampleScores, sampleLeadKeys } from '#modules/crm'
import { daysLater } from '#platform/clock'
import type { SampleData, SampleRecord, SampleStep } from '#platform/module'
import { attributeMarkedDeals } from '../campaigns/attribution/attribution.service.ts'
import { insertAttributionMarks } from '../campaigns/attribution/marks.queries.ts'
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
const contactCount = 130

const hotContacts = ['contact:griffin', 'contact:marshall', 'contact:fontaine']

export const campaignSample: SampleData = {
  name: 'marketing',
  plan({ random, now, scale }) {
    const count = Math.max(1, Math.floor(contactCount * scale))
    const contactKeys = [...hotContacts, ...Array.from({ length: count }, (_, index) => `contact:${index + 1}`)]
    const leadKeys = sampleLeadKeys(scale)
    const campaigns = planCampaigns({ random, now, contactKeys, leadKeys })
    const steps = campaigns.flatMap((campaign) => {
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
    return [...steps, scoreStep(leadKeys, now), attributionStep({ contactKeys, leadKeys }, now)]
  },
  remove: removeSampleCampaigns,
}

const scoreStep = (leadKeys: readonly string[], now: Date): SampleStep => ({
  async run(tx, _, idOf) {
    await refreshSampleScores(tx, leadKeys.map(idOf), now)
    return []
  },
})

type PersonKeys = { contactKeys: readonly string[]; leadKeys: readonly string[] }

/** Marks closed deals again, because the schedule may have fixed their touches before the campaigns were created. */
const attributionStep = ({ contactKeys, leadKeys }: PersonKeys, now: Date): SampleStep => ({
  async run(tx, _, idOf) {
    const persons = { contactIds: contactKeys.map(idOf), leadIds: leadKeys.map(idOf) }
    const dealIds = await listDealIdsOfPersons(tx, persons)
    await insertAttributionMarks(
      tx,
      dealIds.map((record_id) => ({ record_type: 'opportunity', record_id, is_closing: true })),
    )
    let isMarked = true
    while (isMarked) isMarked = await attributeMarkedDeals(tx, now)
    return []
  },
})

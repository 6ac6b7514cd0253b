import { filterOptedOut, type LeadBulkAction, type LeadResult, requiredParam, withApplyToAll } from '#modules/crm'
import { conflict, notFound, unknownReference } from '#platform/errors'
import { findCampaign } from '../campaigns/campaigns.queries.ts'
import { viaOf } from './add-members.jobs.ts'
import { addPersons, assertMembersAddable } from './add-members.service.ts'

type Params = { campaign_id?: string; member_status?: string }

export const addToCampaignAction: LeadBulkAction = {
  name: 'add_to_campaign',
  takes: ['campaign_id', 'member_status'],
  scopes: ['campaigns.write', 'leads.read', 'contacts.read'],
  async assertParams(tx, { campaign_id, member_status }: Params) {
    if (!campaign_id) throw requiredParam('campaign_id')
    if (!(await findCampaign(tx, campaign_id))) throw unknownReference('/campaign_id', 'campaign')
    await assertMembersAddable(tx, campaign_id, member_status, '/member_status')
  },
  ...withApplyToAll(async (tx, ids, { campaign_id, member_status: status }: Params, { actor, now, services }) => {
    const optedOut = await filterOptedOut(tx, services, 'lead', ids)
    const leadIds = ids.filter((id) => !optedOut.has(id))
    const persons = { leadIds, contactIds: [] }
    const options = { status, via: viaOf(actor), now }
    const { addedIds, not_found } = await addPersons(tx, actor, campaign_id!, persons, options)
    return ids.map((id): LeadResult => {
      if (optedOut.has(id)) return conflict('opted_out', 'The person has opted out of marketing email.')
      return not_found.includes(id) ? notFound('lead') : addedIds.has(id)
    })
  }),
}

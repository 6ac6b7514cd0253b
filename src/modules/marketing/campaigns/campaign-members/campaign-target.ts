import {
  type BulkAction,
  filterOptedOut,
  type ImportTarget,
  lockPersonsOfContacts,
  type RecordResult,
  requiredParam,
  withApplyToAll,
} from '#modules/crm'
import { conflict, notFound, unknownReference } from '#platform/errors'
import type { EnrollTarget } from '../../segments/segments/enroll-target.ts'
import { findCampaign, findCampaignNames } from '../campaigns/campaigns.queries.ts'
import { viaOf } from './add-members.jobs.ts'
import { addPersons, assertMembersAddable } from './add-members.service.ts'

/** Enrolls members of a segment into a campaign. */
export const campaignTarget: EnrollTarget = {
  type: 'campaign',
  scope: 'campaigns.write',
  findNames: findCampaignNames,
  async assertEnrollable(tx, _actor, campaignId, { member_status }) {
    if (!(await findCampaign(tx, campaignId))) throw unknownReference('/target_id', 'campaign')
    await assertMembersAddable(tx, campaignId, member_status, '/member_status')
  },
  async enroll(tx, actor, campaignId, { objectType, ids, now }, { member_status: status }, services) {
    const optedOut = await filterOptedOut(tx, services, objectType, ids)
    const members = ids.filter((id) => !optedOut.has(id))
    const persons = objectType === 'lead' ? { leadIds: members, contactIds: [] } : { leadIds: [], contactIds: members }
    const options = { status, via: 'segment', now } as const
    const { added, already_member, not_found } = await addPersons(tx, actor, campaignId, persons, options)
    const skipped = { already_member, not_found: not_found.length, opted_out: optedOut.size }
    return { enrolled: added, skipped, rejectedIds: [...not_found, ...optedOut] }
  },
}

/** Adds imported persons to a campaign, except those who have opted out. */
export const campaignImportTarget: ImportTarget = {
  type: 'campaign',
  scope: 'campaigns.write',
  async assertUsable(tx, campaignId, path) {
    if (!(await findCampaign(tx, campaignId))) throw unknownReference(path, 'campaign')
    await assertMembersAddable(tx, campaignId, undefined)
  },
  async add(tx, actor, campaignId, { objectType, ids, now }, services) {
    const optedOut = await filterOptedOut(tx, services, objectType, ids)
    const members = ids.filter((id) => !optedOut.has(id))
    const persons = objectType === 'lead' ? { leadIds: members, contactIds: [] } : { leadIds: [], contactIds: members }
    await addPersons(tx, actor, campaignId, persons, { via: 'import', now })
  },
}

type Params = { campaign_id?: string; member_status?: string }

const defineAddAction = (type: 'lead' | 'contact'): BulkAction => ({
  name: 'add_to_campaign',
  ...(type === 'contact' && { lockBeforeRecords: lockPersonsOfContacts }),
  takes: ['campaign_id', 'member_status'],
  scopes: ['campaigns.write', 'leads.read', 'contacts.read'],
  async assertParams(tx, { campaign_id, member_status }: Params) {
    if (!campaign_id) throw requiredParam('campaign_id')
    if (!(await findCampaign(tx, campaign_id))) throw unknownReference('/campaign_id', 'campaign')
    await assertMembersAddable(tx, campaign_id, member_status, '/member_status')
  },
  ...withApplyToAll(async (tx, ids, { campaign_id, member_status: status }: Params, { actor, now, services }) => {
    const optedOut = await filterOptedOut(tx, services, type, ids)
    const members = ids.filter((id) => !optedOut.has(id))
    const persons = type === 'lead' ? { leadIds: members, contactIds: [] } : { leadIds: [], contactIds: members }
    const options = { status, via: viaOf(actor), now }
    const { addedIds, not_found } = await addPersons(tx, actor, campaign_id!, persons, options)
    return ids.map((id): RecordResult => {
      if (optedOut.has(id)) return conflict('opted_out', 'The person has opted out of marketing email.')
      return not_found.includes(id) ? notFound(type) : addedIds.has(id)
    })
  }),
})

export const addToCampaignActions = { lead: defineAddAction('lead'), contact: defineAddAction('contact') }

import { filterOptedOut, type ImportTarget } from '#modules/crm'
import { unknownReference } from '#platform/errors'
import type { EnrollTarget } from '../../segments/segments/enroll-target.ts'
import { findCampaign } from '../campaigns/campaigns.queries.ts'
import { addPersons, assertMembersAddable } from './add-members.service.ts'

/** Enrolls members of a segment into a campaign. */
export const campaignTarget: EnrollTarget = {
  type: 'campaign',
  scope: 'campaigns.write',
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

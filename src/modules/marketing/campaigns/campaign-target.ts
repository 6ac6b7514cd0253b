import { systemClock } from '#platform/clock'
import { addPersons, assertMembersAddable } from '../campaign-members/add-members.service.ts'
import type { EnrollTarget } from '../segments/enroll-target.ts'

/** Enrolls members of a segment into a campaign. */
export const campaignTarget: EnrollTarget = {
  type: 'campaign',
  scope: 'campaigns.write',
  assertEnrollable: (tx, campaignId, { member_status }) => assertMembersAddable(tx, campaignId, member_status),
  async enroll(tx, actor, campaignId, { objectType, ids }, { member_status: status }) {
    const persons = objectType === 'lead' ? { leadIds: ids, contactIds: [] } : { leadIds: [], contactIds: ids }
    const options = { status, via: 'segment', now: systemClock.now() } as const
    const { added, already_member, not_found } = await addPersons(tx, actor, campaignId, persons, options)
    return { enrolled: added, skipped: { already_member, not_found: not_found.length } }
  },
}

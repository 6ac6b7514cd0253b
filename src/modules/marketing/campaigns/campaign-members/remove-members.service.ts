import { canAccess, type UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { roleRequired } from '#platform/errors'
import { campaignMemberRemoved } from '../../marketing.events.ts'
import { insertAttributionMarks, markPersons } from '../attribution/marks.queries.ts'
import type { CampaignRow } from '../campaigns/campaigns.queries.ts'
import { lockMembersOfCampaign } from './member-status.service.ts'
import { deleteMemberRows, type MemberRow, refreshNewLeads } from './members.queries.ts'
import { emitMembers } from './record-members.service.ts'

export function assertMayRemove(actor: UserActor, campaign: CampaignRow): void {
  if (!canAccess(actor, 'campaigns.delete', campaign))
    throw roleRequired('Only managers and the owner of the campaign can remove its members.')
}

export type RemovalResult = { removed: number; not_found: string[] }

/** Removes members with a fixed number of statements. With `status`, those that have left it in the meantime are kept. */
export async function removeMembers(
  tx: TenantTx,
  actor: UserActor,
  campaignId: string,
  memberIds: readonly string[],
  { status }: { status?: string } = {},
): Promise<RemovalResult> {
  const ids = [...new Set(memberIds)]
  const { campaign, members: locked } = await lockMembersOfCampaign(tx, campaignId, ids)
  assertMayRemove(actor, campaign)
  const members = locked.filter((member) => status === undefined || member.status === status)
  if (members.length) {
    await recordAudit(tx, 'campaign.members_removed', {
      id: campaign.id,
      label: campaign.name,
      after: { members_removed: members.length, ...(status && { status }) },
    })
    await deleteMembers(tx, campaign, members)
  }
  const found = new Set(locked.map(({ id }) => id))
  return { removed: members.length, not_found: ids.filter((id) => !found.has(id)) }
}

/** Touches of closed deals are kept. */
export async function deleteMembers(tx: TenantTx, campaign: CampaignRow, members: readonly MemberRow[]): Promise<void> {
  await deleteMemberRows(
    tx,
    members.map(({ id }) => id),
  )
  await refreshNewLeads(
    tx,
    members.flatMap(({ lead_id }) => lead_id ?? []),
  )
  await emitMembers(tx, campaignMemberRemoved, campaign, members)
  await insertAttributionMarks(tx, markPersons(members))
}

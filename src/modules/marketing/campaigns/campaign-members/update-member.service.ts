import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion, notFound } from '#platform/errors'
import type { Services } from '#platform/module'
import { campaignMemberUpdated } from '../../marketing.events.ts'
import { toMember } from './list-members.service.ts'
import { assertKnownStatus } from './member-status.rules.ts'
import { lockMembersOfCampaign, writeStatus } from './member-status.service.ts'
import { getMember, updateMemberNote } from './members.queries.ts'
import type { CampaignMember, MemberChanges } from './members.schemas.ts'
import { emitMembers } from './record-members.service.ts'
import { assertMayRemove, deleteMembers } from './remove-members.service.ts'

type MemberUpdate = { changes: MemberChanges; expectedVersion?: number }

export async function updateCampaignMember(
  tx: TenantTx,
  actor: UserActor,
  { campaignId, memberId }: { campaignId: string; memberId: string },
  { changes: { status, note }, expectedVersion }: MemberUpdate,
  { clock }: Pick<Services, 'clock'>,
): Promise<CampaignMember> {
  const { campaign, member } = await lockMember(tx, campaignId, memberId)
  assertVersion(member, expectedVersion)
  let updated = member
  if (status !== undefined) assertKnownStatus(campaign, status)
  if (note !== undefined && note !== member.note) {
    updated = await updateMemberNote(tx, memberId, note)
    await recordAudit(tx, 'campaign.member_updated', {
      id: campaignId,
      label: campaign.name,
      after: { member_id: memberId, has_note: note !== null },
    })
    if (status === undefined || status === member.status)
      await emitMembers(tx, campaignMemberUpdated, campaign, [member])
  }
  if (status !== undefined && status !== member.status)
    updated = (await writeStatus(tx, actor, campaign, [member], { status, now: clock.now() }))[0]!
  return await toMember(tx, updated)
}

export async function removeCampaignMember(
  tx: TenantTx,
  actor: UserActor,
  { campaignId, memberId }: { campaignId: string; memberId: string },
  { expectedVersion }: { expectedVersion?: number },
): Promise<void> {
  const { campaign, member } = await lockMember(tx, campaignId, memberId)
  assertMayRemove(actor, campaign)
  assertVersion(member, expectedVersion)
  await recordAudit(tx, 'campaign.member_removed', {
    id: campaignId,
    label: campaign.name,
    before: { lead_id: member.lead_id, contact_id: member.contact_id, status: member.status },
  })
  await deleteMembers(tx, campaign, [member])
}

async function lockMember(tx: TenantTx, campaignId: string, memberId: string) {
  await getMember(tx, campaignId, memberId)
  const { campaign, members } = await lockMembersOfCampaign(tx, campaignId, [memberId])
  const [member] = members
  if (!member) throw notFound('member')
  return { campaign, member }
}

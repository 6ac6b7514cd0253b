import { lockPersons } from '#modules/crm'
import type { Actor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { campaignMemberUpdated } from '../../marketing.events.ts'
import type { CampaignRow } from '../campaigns/campaigns.queries.ts'
import { lockCampaignShared } from '../campaigns/campaigns.queries.ts'
import { assertKnownStatus, assertMembersEditable, isResponseStatus, raisesStatus } from './member-status.rules.ts'
import {
  listMembersById,
  lockMembers,
  type MemberRef,
  type MemberRow,
  updateMemberStatuses,
} from './members.queries.ts'
import { emitMembers, recordResponses } from './record-members.service.ts'

type StatusChange = {
  status: string
  /** True for signals, which never lower the rank; users may set any status. */
  onlyRaise?: boolean
  now: Date
}

export type StatusResult = { updated: number; unchanged: number; not_found: string[] }

/** Changes the status of members with a fixed number of statements. Lock order: leads, accounts, contacts, campaign, members. */
export async function setMemberStatuses(
  tx: TenantTx,
  actor: Actor,
  campaignId: string,
  memberIds: readonly string[],
  { status, onlyRaise = false, now }: StatusChange,
): Promise<StatusResult> {
  const ids = [...new Set(memberIds)]
  const { campaign, members } = await lockMembersOfCampaign(tx, campaignId, ids)
  assertKnownStatus(campaign, status)
  const changes = members.filter(
    (member) => member.status !== status && (!onlyRaise || raisesStatus(campaign, member.status, status)),
  )
  await writeStatus(tx, actor, campaign, changes, { status, now })
  const found = new Set(members.map(({ id }) => id))
  return {
    updated: changes.length,
    unchanged: members.length - changes.length,
    not_found: ids.filter((id) => !found.has(id)),
  }
}

export async function lockMembersOfCampaign(tx: TenantTx, campaignId: string, ids: readonly string[]) {
  const found = await listMembersById(tx, campaignId, ids)
  await lockPersons(tx, {
    leadIds: found.flatMap(({ lead_id }) => lead_id ?? []),
    contactIds: found.flatMap(({ contact_id }) => contact_id ?? []),
  })
  const campaign = await lockCampaignShared(tx, campaignId)
  assertMembersEditable(campaign)
  const members = await lockMembers(
    tx,
    found.map(({ id }) => id),
  )
  return { campaign, members }
}

/** The first response of a member counts once; a later status does not take it back. */
export async function writeStatus(
  tx: TenantTx,
  actor: Actor,
  campaign: CampaignRow,
  members: readonly MemberRow[],
  { status, now }: { status: string; now: Date },
): Promise<MemberRow[]> {
  if (!members.length) return []
  const responding = isResponseStatus(campaign, status) ? members.filter(({ responded }) => !responded) : []
  const idsOf = (rows: readonly MemberRef[]) => rows.map(({ id }) => id)
  const updated = await updateMemberStatuses(tx, idsOf(members), { status, respondedIds: idsOf(responding), now })
  await recordAudit(tx, 'campaign.members_updated', {
    id: campaign.id,
    label: campaign.name,
    after: { members_updated: members.length, status },
  })
  await emitMembers(tx, campaignMemberUpdated, campaign, members)
  await recordResponses(tx, actor, campaign, responding, now)
  return updated
}

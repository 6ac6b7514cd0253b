import { lockPersons, type Person } from '#modules/crm'
import type { Actor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { campaignMemberAdded } from '../../marketing.events.ts'
import { assertTakesMembers } from '../campaigns/campaign-status.rules.ts'
import { type CampaignRow, getCampaignRow, lockCampaignShared } from '../campaigns/campaigns.queries.ts'
import { assertKnownStatus, firstStatus, isResponseStatus } from './member-status.rules.ts'
import { filterLeadsInCampaigns, insertMembers, listMembersOfPersons, type MemberRow } from './members.queries.ts'
import { emitMembers, recordResponses } from './record-members.service.ts'

export type AddedVia = 'manual' | 'segment' | 'cadence' | 'utm' | 'import' | 'api'

type PersonIdLists = { leadIds: readonly string[]; contactIds: readonly string[] }
type AddOptions = { status?: string; via: AddedVia; now: Date }

/** `addedIds` are the requested leads and contacts whose person was added. */
export type AddResult = { added: number; already_member: number; not_found: string[]; addedIds: Set<string> }

/** Rejects the request before a task is started. */
export async function assertMembersAddable(
  tx: TenantTx,
  campaignId: string,
  status: string | undefined,
  path = '/status',
): Promise<void> {
  const campaign = await getCampaignRow(tx, campaignId)
  assertTakesMembers(campaign)
  if (status !== undefined) assertKnownStatus(campaign, status, path)
}

/** Adds persons with a fixed number of statements. Lock order: leads, accounts, contacts, campaign. */
export async function addPersons(
  tx: TenantTx,
  actor: Actor,
  campaignId: string,
  { leadIds, contactIds }: PersonIdLists,
  { status, via, now }: AddOptions,
): Promise<AddResult> {
  const ids = [...new Set([...leadIds, ...contactIds])]
  const personById = await lockPersons(tx, { leadIds, contactIds })
  const campaign = await lockCampaignShared(tx, campaignId)
  assertTakesMembers(campaign)
  if (status !== undefined) assertKnownStatus(campaign, status)

  const persons = [...new Set(personById.values())]
  const existing = await listMembersOfPersons(tx, campaignId, {
    leadIds: persons.flatMap(({ lead_id }) => lead_id ?? []),
    contactIds: persons.flatMap(({ contact_id }) => contact_id ?? []),
  })
  const members = new Set(existing.flatMap(({ lead_id, contact_id }) => [lead_id, contact_id]))
  const isMember = ({ lead_id, contact_id }: Person) =>
    (lead_id !== null && members.has(lead_id)) || (contact_id !== null && members.has(contact_id))
  const newPersons = persons.filter((person) => !isMember(person))
  const added = await insertPersons(tx, actor, campaign, newPersons, {
    status: status ?? firstStatus(campaign),
    via,
    now,
  })
  const found = ids.filter((id) => personById.has(id)).length
  const newIds = new Set(added.flatMap(({ lead_id, contact_id }) => [lead_id, contact_id]))
  const isNew = ({ lead_id, contact_id }: Person) =>
    (lead_id !== null && newIds.has(lead_id)) || (contact_id !== null && newIds.has(contact_id))
  return {
    added: added.length,
    already_member: found - added.length,
    not_found: ids.filter((id) => !personById.has(id)),
    addedIds: new Set([...personById].flatMap(([id, person]) => (isNew(person) ? [id] : []))),
  }
}

/** For locked or new persons who are not members, and a campaign that is locked in shared mode. */
export async function insertPersons(
  tx: TenantTx,
  actor: Actor,
  campaign: CampaignRow,
  persons: readonly Person[],
  { status, via, now }: Required<AddOptions>,
): Promise<MemberRow[]> {
  if (!persons.length) return []
  const known = await filterLeadsInCampaigns(
    tx,
    persons.flatMap(({ lead_id }) => lead_id ?? []),
  )
  const newSince = daysLater(now, -7)
  const responded_at = isResponseStatus(campaign, status) ? now : null
  const added = await insertMembers(
    tx,
    persons.map((person) => ({
      id: newId(),
      campaign_id: campaign.id,
      ...person,
      status,
      responded_at,
      first_touched_at: now,
      added_by: actor.userId,
      added_via: via,
      is_new_lead:
        person.lead_id !== null &&
        !known.has(person.lead_id) &&
        person.lead_created_at !== null &&
        person.lead_created_at >= newSince,
    })),
  )
  if (!added.length) return added
  await recordAudit(tx, 'campaign.members_added', {
    id: campaign.id,
    label: campaign.name,
    after: { members_added: added.length, status, added_via: via },
  })
  await emitMembers(tx, campaignMemberAdded, campaign, added)
  if (responded_at) await recordResponses(tx, actor, campaign, added, now)
  return added
}

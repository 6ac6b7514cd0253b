import { getLead, listLeadMilestones } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { insertAttributionMarks } from '../attribution/marks.queries.ts'
import { deleteMemberRows, filterLeadsInCampaigns, refreshNewLeads } from './members.queries.ts'
import {
  hideMergedMembers,
  linkMembersToContact,
  lockMembersOfPersons,
  revertMergedState,
  showMembersOfLeads,
  updateMemberMilestones,
  updateMemberStates,
} from './merge-members.queries.ts'
import { type MemberMerge, planConversion, planMerges } from './merge-members.rules.ts'

/** Fills the contact of the lead's rows; a row that the contact has already takes over touch and response. */
export async function linkConvertedLead(tx: TenantTx, leadId: string, contactId: string): Promise<void> {
  const members = await lockMembersOfPersons(tx, { leadIds: [leadId], contactIds: [contactId] })
  if (!members.length) return
  const { merges, linked } = planConversion(members, { leadId, contactId })
  await mergeRows(tx, merges)
  await linkMembersToContact(
    tx,
    linked.map(({ id }) => id),
    contactId,
  )
  await refreshNewLeads(tx, [leadId])
  await insertAttributionMarks(tx, [{ record_type: 'contact', record_id: contactId }])
}

async function mergeRows(tx: TenantTx, merges: readonly MemberMerge[]): Promise<void> {
  if (!merges.length) return
  await deleteMemberRows(
    tx,
    merges.map(({ removed }) => removed.id),
  )
  await updateMemberStates(tx, lastStates(merges))
}

/** Several rows can be merged into one; the last state contains all of them. */
const lastStates = (merges: readonly MemberMerge[]) => [
  ...new Map(merges.map(({ kept, state, lead_id }) => [kept.id, { id: kept.id, ...state, lead_id }])).values(),
]

export async function mergeMembersOfContacts(
  tx: TenantTx,
  contactId: string,
  mergedIds: readonly string[],
): Promise<void> {
  const members = await lockMembersOfPersons(tx, { leadIds: [], contactIds: [contactId, ...mergedIds] })
  await mergeRows(
    tx,
    planMerges(members, ({ contact_id }) => contact_id === contactId),
  )
  await refreshNewLeads(
    tx,
    members.flatMap(({ lead_id }) => lead_id ?? []),
  )
  await insertAttributionMarks(tx, [{ record_type: 'contact', record_id: contactId }])
}

/** Rows that the surviving lead already has take over touch and response; those of the merged leads are kept for an undo. */
export async function mergeMembersOfLeads(tx: TenantTx, leadId: string, mergedIds: readonly string[]): Promise<void> {
  const members = await lockMembersOfPersons(tx, { leadIds: [leadId, ...mergedIds], contactIds: [] })
  if (!members.length) return
  const merges = planMerges(members, ({ lead_id }) => lead_id === leadId)
  if (merges.length) {
    await updateMemberStates(
      tx,
      lastStates(merges).map(({ lead_id: _, ...state }) => state),
    )
    await hideMergedMembers(tx, chainOf(merges))
  }
  const { converted_contact_id } = await getLead(tx, leadId)
  if (converted_contact_id) await linkConvertedLead(tx, leadId, converted_contact_id)
  await recountLeads(tx, [leadId, ...mergedIds])
}

/** The state before each merge includes the merges before it. */
const chainOf = (merges: readonly MemberMerge[]): MemberMerge[] => {
  const states = new Map<string, MemberMerge['state']>()
  return merges.map((merge) => {
    const kept = { ...merge.kept, ...states.get(merge.kept.id) }
    states.set(merge.kept.id, merge.state)
    return { ...merge, kept }
  })
}

export async function undoMergeOfLeads(tx: TenantTx, leadId: string, restoredIds: readonly string[]): Promise<void> {
  for (const merge of await showMembersOfLeads(tx, restoredIds)) await revertMergedState(tx, merge)
  await recountLeads(tx, [leadId, ...restoredIds])
}

async function recountLeads(tx: TenantTx, leadIds: readonly string[]): Promise<void> {
  await refreshNewLeads(tx, leadIds)
  await updateMilestones(tx, leadIds)
  await insertAttributionMarks(
    tx,
    leadIds.map((record_id) => ({ record_type: 'lead', record_id })),
  )
}

/** One cheap statement for leads without campaigns. */
export async function updateMilestones(tx: TenantTx, leadIds: readonly string[]): Promise<void> {
  const members = await filterLeadsInCampaigns(tx, leadIds)
  if (members.size) await updateMemberMilestones(tx, await listLeadMilestones(tx, [...members]))
}

import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { MemberMerge, MemberState, MergeableMember } from './merge-members.rules.ts'

type PersonIdLists = { leadIds: readonly string[]; contactIds: readonly string[] }

export async function lockMembersOfPersons(
  tx: TenantTx,
  { leadIds, contactIds }: PersonIdLists,
): Promise<MergeableMember[]> {
  const { rows } = await sql<MergeableMember>`
    select id, campaign_id, lead_id, contact_id, status, first_touched_at, responded_at from marketing.campaign_members
    where lead_id = any (${leadIds}::uuid[]) or contact_id = any (${contactIds}::uuid[]) order by id for update
  `.execute(tx)
  return rows
}

export async function linkMembersToContact(
  tx: TenantTx,
  ids: readonly string[],
  contactId: string | null,
): Promise<void> {
  if (!ids.length) return
  await sql`update marketing.campaign_members set contact_id = ${contactId}::uuid where id = any (${ids}::uuid[])`.execute(
    tx,
  )
}

type StateChange = MemberState & { id: string; lead_id?: string | null }

export async function updateMemberStates(tx: TenantTx, changes: readonly StateChange[]): Promise<void> {
  if (!changes.length) return
  await sql`
    update marketing.campaign_members member set status = changed.status, first_touched_at = changed.first_touched_at,
      responded_at = changed.responded_at, lead_id = coalesce(changed.lead_id, member.lead_id)
    from json_to_recordset(${JSON.stringify(changes)}::json)
      as changed (id uuid, status text, first_touched_at timestamptz, responded_at timestamptz, lead_id uuid)
    where member.id = changed.id
  `.execute(tx)
}

export async function hideMergedMembers(tx: TenantTx, merges: readonly MemberMerge[]): Promise<void> {
  const stateOf = ({ status, first_touched_at, responded_at }: MemberState) => ({
    status,
    first_touched_at,
    responded_at,
  })
  const hidden = merges.map(({ kept, removed, state }) => ({
    id: removed.id,
    merged_into: { member_id: kept.id, before: stateOf(kept), after: stateOf(state) },
  }))
  await sql`
    update marketing.campaign_members member set is_hidden = true, merged_into = changed.merged_into
    from json_to_recordset(${JSON.stringify(hidden)}::json) as changed (id uuid, merged_into jsonb)
    where member.id = changed.id
  `.execute(tx)
}

type StateJson = { status: string; first_touched_at: string; responded_at: string | null }
export type UndoneMerge = { id: string; merged_into: { member_id: string; before: StateJson; after: StateJson } | null }

/** Shows the rows of restored leads again and returns what the merge had changed, latest first. */
export async function showMembersOfLeads(tx: TenantTx, leadIds: readonly string[]): Promise<UndoneMerge[]> {
  const { rows } = await sql<UndoneMerge>`
    with locked as (
      select id, merged_into from marketing.campaign_members where lead_id = any (${leadIds}::uuid[]) order by id for update
    ), shown as (
      update marketing.campaign_members member set is_hidden = false, merged_into = null, contact_id = null
      from locked where member.id = locked.id
    )
    select id, merged_into from locked order by id desc
  `.execute(tx)
  return rows
}

/** Restores values of the surviving row that have not changed since the merge. */
export async function revertMergedState(tx: TenantTx, { merged_into }: UndoneMerge): Promise<void> {
  if (!merged_into) return
  const { member_id, before, after } = merged_into
  await sql`
    update marketing.campaign_members set
      status = case when status = ${after.status} then ${before.status} else status end,
      first_touched_at = case when first_touched_at = ${after.first_touched_at}::timestamptz
        then ${before.first_touched_at}::timestamptz else first_touched_at end,
      responded_at = case when responded_at is not distinct from ${after.responded_at}::timestamptz
        then ${before.responded_at}::timestamptz else responded_at end
    where id = ${member_id}
  `.execute(tx)
}

/** A member is hidden while its contact, or without a contact its lead, is deleted. */
export async function setMembersHidden(
  tx: TenantTx,
  { leadIds, contactIds }: PersonIdLists,
  isHidden: boolean,
): Promise<void> {
  await sql`
    with locked as (
      select id from marketing.campaign_members
      where (lead_id = any (${leadIds}::uuid[]) and contact_id is null or contact_id = any (${contactIds}::uuid[]))
        and is_hidden <> ${isHidden}::boolean and merged_into is null
      order by id for update
    )
    update marketing.campaign_members member set is_hidden = ${isHidden}::boolean from locked where member.id = locked.id
  `.execute(tx)
}

type Milestones = { id: string; is_mql: boolean; is_sql: boolean; is_converted: boolean }

export async function updateMemberMilestones(tx: TenantTx, leads: readonly Milestones[]): Promise<void> {
  await sql`
    with reached as (
      select id, is_mql, is_sql, is_converted from json_to_recordset(${JSON.stringify(leads)}::json)
        as lead (id uuid, is_mql boolean, is_sql boolean, is_converted boolean) offset 0
    ), locked as (
      select member.id, reached.is_mql, reached.is_sql, reached.is_converted
      from reached join marketing.campaign_members member on member.lead_id = reached.id
      where (member.is_mql, member.is_sql, member.is_converted) <> (reached.is_mql, reached.is_sql, reached.is_converted)
      order by member.id for update of member
    )
    update marketing.campaign_members member
    set is_mql = locked.is_mql, is_sql = locked.is_sql, is_converted = locked.is_converted
    from locked where member.id = locked.id
  `.execute(tx)
}

import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type ErasedVisitors, idsOfVisitors } from '../visit-records/visitors.queries.ts'

/** A block list keeps its other addresses; the erased person can no longer be recognised in it. */
export async function eraseLinkRecipients(tx: TenantTx, { emailKeys, contactIds }: ErasedVisitors): Promise<number> {
  const { numAffectedRows } = await sql`
    update enablement.room_links set
      recipient_email = case when lower(recipient_email) = any (${emailKeys}::text[]) then null else recipient_email end,
      recipient_contact_id = case when recipient_contact_id = any (${contactIds}::uuid[]) then null else recipient_contact_id end,
      allowed = array(select rule from unnest(allowed) as rule where rule <> all (${emailKeys}::text[])),
      blocked = array(select rule from unnest(blocked) as rule where rule <> all (${emailKeys}::text[]))
    where lower(recipient_email) = any (${emailKeys}::text[]) or recipient_contact_id = any (${contactIds}::uuid[])
      or allowed && ${emailKeys}::text[] or blocked && ${emailKeys}::text[]
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Lists the rooms that a person visited, with the names that the person entered there. */
export async function listVisitedRooms(tx: TenantTx, erased: ErasedVisitors) {
  const { rows } = await sql<{ room_id: string; names: string[] }>`
    select room_id, array_remove(array_agg(distinct name), null) as names from enablement.room_visitors
    where id = ${idsOfVisitors(erased)} group by room_id
  `.execute(tx)
  return rows
}

export async function eraseCompletedBy(
  tx: TenantTx,
  roomIds: readonly string[],
  names: readonly string[],
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('enablement.room_plan_steps')
    .set({ completed_by: null })
    .where('room_id', '=', sql<string>`any(${roomIds}::uuid[])`)
    .where('side', '=', 'buyer')
    .where('completed_by', '=', sql<string>`any(${names}::text[])`)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

type ErasedAssignees = { emailKeys: readonly string[]; names: readonly string[] }

export async function erasePlanPeople(tx: TenantTx, { emailKeys, names }: ErasedAssignees): Promise<number> {
  const { numAffectedRows } = await sql`
    update enablement.room_plan_steps set
      assignee_name = case when lower(assignee_email) = any (${emailKeys}::text[]) then null else assignee_name end,
      assignee_email = case when lower(assignee_email) = any (${emailKeys}::text[]) then null else assignee_email end,
      completed_by = case when lower(completed_by) = any (${emailKeys}::text[]) or completed_by = any (${names}::text[])
        then null else completed_by end
    where lower(assignee_email) = any (${emailKeys}::text[]) or lower(completed_by) = any (${emailKeys}::text[])
      or (side = 'buyer' and completed_by = any (${names}::text[]))
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

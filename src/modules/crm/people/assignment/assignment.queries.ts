import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { AssignmentLoad } from './rotation.rules.ts'

/** Serializes concurrent assignments to these users; creates missing state rows. */
export async function lockAssignmentState(tx: TenantTx, userIds: readonly string[]): Promise<void> {
  const locked = await lockExistingStates(tx, userIds)
  if (locked.length === userIds.length) return
  await sql`
    insert into crm.assignment_state (user_id) select id from unnest(${userIds}::uuid[]) as id order by id on conflict do nothing
  `.execute(tx)
  await lockExistingStates(tx, userIds)
}

const lockExistingStates = (tx: TenantTx, userIds: readonly string[]) =>
  tx
    .selectFrom('crm.assignment_state')
    .select('user_id')
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .orderBy('user_id')
    .forUpdate()
    .execute()

/** Moves the counters of locked users to a later start: subtracts the assignments that are not after `since` any more. */
export async function advanceAssignmentCounters(tx: TenantTx, userIds: readonly string[], since: Date): Promise<void> {
  await sql`
    update crm.assignment_state state
    set assigned_leads = case when counted.since is null then counted.leads else state.assigned_leads - counted.leads end,
      assigned_since = ${since}::timestamptz
    from (
      select owner.user_id, owner.assigned_since as since, (
        select count(*)::integer from crm.lead_assignments assignment
        where assignment.user_id = owner.user_id and assignment.at > owner.assigned_since and assignment.at <= ${since}::timestamptz
      ) as leads
      from crm.assignment_state owner where owner.user_id = any (${userIds}::uuid[]) and owner.assigned_since is not null
      union all
      select owner.user_id, null, (
        select count(*)::integer from crm.lead_assignments assignment
        where assignment.user_id = owner.user_id and assignment.at > ${since}::timestamptz
      )
      from crm.assignment_state owner where owner.user_id = any (${userIds}::uuid[]) and owner.assigned_since is null
    ) as counted
    where state.user_id = counted.user_id and (counted.since is null or counted.leads > 0)
  `.execute(tx)
}

export function listAssignmentLoads(tx: TenantTx, userIds: readonly string[]): Promise<AssignmentLoad[]> {
  return tx
    .selectFrom('crm.assignment_state')
    .select(['user_id', 'assigned_leads as leads', 'last_assigned_at'])
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .execute()
}

type Assignment = { lead_id: string; user_id: string }

export async function insertAssignments(tx: TenantTx, assignments: readonly Assignment[], at: Date): Promise<void> {
  if (!assignments.length) return
  await sql`
    insert into crm.lead_assignments (at, id, lead_id, user_id)
    select ${at}::timestamptz, assignment.* from unnest(${assignments.map(() => newId())}::uuid[],
      ${assignments.map(({ lead_id }) => lead_id)}::uuid[], ${assignments.map(({ user_id }) => user_id)}::uuid[]) as assignment
  `.execute(tx)
}

import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'

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

type UserIdRow = { user_id: string }

/** Finds the user who got the fewest leads since `since`; on a tie, the one whose last assignment is oldest. */
export async function findLeastAssignedUser(
  tx: TenantTx,
  userIds: readonly string[],
  since: Date,
): Promise<string | undefined> {
  const { rows } = await sql<UserIdRow>`
    select state.user_id from crm.assignment_state state
    cross join lateral (
      select count(*) as leads from crm.lead_assignments assignment where assignment.user_id = state.user_id and assignment.at > ${since}
    ) as assigned
    where state.user_id = any (${userIds}::uuid[])
    order by assigned.leads, state.last_assigned_at nulls first, state.user_id limit 1
  `.execute(tx)
  return rows[0]?.user_id
}

/** Ranks from here on belong to the last two tiers, converted and unqualified leads. */
const firstClosedRank = 6_000

export async function findUserWithFewestOpenLeads(
  tx: TenantTx,
  userIds: readonly string[],
): Promise<string | undefined> {
  const { rows } = await sql<UserIdRow>`
    select state.user_id from crm.assignment_state state
    cross join lateral (
      select count(*) as leads from crm.leads lead
      where lead.owner_id = state.user_id and lead.priority_rank < ${sql.lit(firstClosedRank)}::smallint and lead.deleted_at is null
    ) as owned
    where state.user_id = any (${userIds}::uuid[])
    order by owned.leads, state.last_assigned_at nulls first, state.user_id limit 1
  `.execute(tx)
  return rows[0]?.user_id
}

type Assignment = { lead_id: string; user_id: string }

export async function recordAssignments(tx: TenantTx, assignments: readonly Assignment[], at: Date): Promise<void> {
  if (!assignments.length) return
  await sql`
    insert into crm.lead_assignments (at, id, lead_id, user_id)
    select ${at}::timestamptz, assignment.* from unnest(${assignments.map(() => newId())}::uuid[],
      ${assignments.map(({ lead_id }) => lead_id)}::uuid[], ${assignments.map(({ user_id }) => user_id)}::uuid[]) as assignment
  `.execute(tx)
  await sql`
    insert into crm.assignment_state (user_id, last_assigned_at)
    select id, ${at}::timestamptz from unnest(${[...new Set(assignments.map(({ user_id }) => user_id))].sort()}::uuid[]) as id
    on conflict on constraint assignment_state_pkey do update set last_assigned_at = excluded.last_assigned_at
  `.execute(tx)
}

export type AssignmentLoad = { user_id: string; leads: number; last_assigned_at: Date | null }

export async function listAssignmentLoads(
  tx: TenantTx,
  userIds: readonly string[],
  since: Date,
): Promise<AssignmentLoad[]> {
  const { rows } = await sql<AssignmentLoad>`
    select state.user_id, assigned.leads, state.last_assigned_at from crm.assignment_state state
    cross join lateral (
      select count(*)::integer as leads from crm.lead_assignments assignment
      where assignment.user_id = state.user_id and assignment.at > ${since}
    ) as assigned
    where state.user_id = any (${userIds}::uuid[])
  `.execute(tx)
  return rows
}

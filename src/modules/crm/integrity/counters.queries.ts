import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Read in one statement: a change of leads and its count are visible together. */
const openLeadDrift = sql`
  select user_id, coalesce(owned.leads, 0) - coalesce(counted.leads, 0) as difference from (
    select owner_id as user_id, count(*)::integer as leads from crm.leads
    where owner_id is not null and crm.is_open_lead(status, deleted_at) group by owner_id
  ) as owned
  full join (
    select user_id, sum(leads)::integer as leads from crm.open_lead_counts group by user_id
  ) as counted using (user_id)
  where coalesce(owned.leads, 0) <> coalesce(counted.leads, 0)`

export async function listOpenLeadDrift(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select drift.user_id from (${openLeadDrift}) as drift order by drift.user_id limit ${limit}
  `.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

/** Adds the difference as a row of its own, so that it does not wait for writers. */
export async function correctOpenLeadCounts(tx: TenantTx, userIds: readonly string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into crm.open_lead_counts (user_id, id, leads)
    select drift.user_id, gen_random_uuid(), drift.difference from (${openLeadDrift}) as drift
    where drift.user_id = any (${userIds}::uuid[])
  `.execute(tx)
  return Number(numAffectedRows)
}

const assignedSince = sql`(
  select count(*)::integer from crm.lead_assignments assignment
  where assignment.user_id = state.user_id and assignment.at > state.assigned_since)`

export async function listAssignmentDrift(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select state.user_id from crm.assignment_state state
    where state.assigned_since is not null and state.assigned_leads <> ${assignedSince} order by state.user_id limit ${limit}
  `.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

/** For locked states. */
export async function correctAssignmentCounts(tx: TenantTx, userIds: readonly string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update crm.assignment_state state set assigned_leads = ${assignedSince}
    where state.user_id = any (${userIds}::uuid[]) and state.assigned_since is not null
      and state.assigned_leads <> ${assignedSince}
  `.execute(tx)
  return Number(numAffectedRows)
}

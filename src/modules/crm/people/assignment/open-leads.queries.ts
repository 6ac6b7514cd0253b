import { sql } from 'kysely'
import { listTenantsAsRetention, type SystemTx, type TenantTx } from '#platform/db'
import type { AssignmentLoad } from './rotation.rules.ts'

export async function listOpenLeadLoads(
  tx: TenantTx,
  userIds: readonly string[],
): Promise<(AssignmentLoad & { rows: number })[]> {
  const { rows } = await sql<AssignmentLoad & { rows: number }>`
    select state.user_id, state.last_assigned_at, owned.rows, owned.leads from crm.assignment_state state
    cross join lateral (
      select count(*)::integer as rows, coalesce(sum(counts.leads), 0)::integer as leads
      from crm.open_lead_counts counts where counts.user_id = state.user_id
    ) as owned
    where state.user_id = any (${userIds}::uuid[])
  `.execute(tx)
  return rows
}

/** Replaces the count rows of these users by their sums. Skips rows that a concurrent transaction replaces. */
export async function foldOpenLeadCounts(tx: TenantTx, userIds: readonly string[]): Promise<void> {
  await sql`
    with removed as (
      delete from crm.open_lead_counts where (user_id, id) in (
        select user_id, id from crm.open_lead_counts where user_id = any (${userIds}::uuid[]) for update skip locked
      ) returning user_id, leads
    )
    insert into crm.open_lead_counts (user_id, id, leads)
    select user_id, gen_random_uuid(), sum(leads) from removed group by user_id having sum(leads) <> 0
  `.execute(tx)
}

export const listTenantsWithManyCountRows = (system: SystemTx): Promise<string[]> =>
  listTenantsAsRetention(system, async (tx) => {
    const { rows } = await sql<{ tenant_id: string }>`
      select distinct tenant_id from (
        select tenant_id from crm.open_lead_counts group by tenant_id, user_id having count(*) > 1) as users
    `.execute(tx)
    return rows.map(({ tenant_id }) => tenant_id)
  })

export async function listUsersWithManyCountRows(tx: TenantTx): Promise<string[]> {
  const users = await tx
    .selectFrom('crm.open_lead_counts')
    .select('user_id')
    .groupBy('user_id')
    .having(({ fn }) => fn.countAll(), '>', sql.lit(1))
    .execute()
  return users.map(({ user_id }) => user_id)
}

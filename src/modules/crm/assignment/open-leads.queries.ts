import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type FewestOpenLeads = {
  user_id: string
  rows: number
}

export async function findUserWithFewestOpenLeads(
  tx: TenantTx,
  userIds: readonly string[],
): Promise<FewestOpenLeads | undefined> {
  const { rows } = await sql<FewestOpenLeads>`
    select state.user_id, (sum(owned.rows) over ())::integer as rows from crm.assignment_state state
    cross join lateral (
      select count(*) as rows, coalesce(sum(counts.leads), 0) as leads
      from crm.open_lead_counts counts where counts.user_id = state.user_id
    ) as owned
    where state.user_id = any (${userIds}::uuid[])
    order by owned.leads, state.last_assigned_at nulls first, state.user_id limit 1
  `.execute(tx)
  return rows[0]
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

export async function listUsersWithManyCountRows(tx: TenantTx): Promise<string[]> {
  const users = await tx
    .selectFrom('crm.open_lead_counts')
    .select('user_id')
    .groupBy('user_id')
    .having(({ fn }) => fn.countAll(), '>', sql.lit(1))
    .execute()
  return users.map(({ user_id }) => user_id)
}

import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const ratings = sql`(
  select coalesce(sum(rating), 0)::integer as rating_sum, count(rating)::integer as rating_count
  from enablement.expert_requests where expert_id = expert.id)`

/** Experts whose sums differ from the ratings of their requests. */
export async function findExpertsWithWrongRatings(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select expert.id from enablement.experts expert cross join lateral ${ratings} as rated
    where (expert.rating_sum, expert.rating_count) <> (rated.rating_sum, rated.rating_count)
    order by expert.id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Locks in id order to avoid deadlocks. */
export async function recountRatings(tx: TenantTx, ids: readonly string[]): Promise<number> {
  await sql`select id from enablement.experts where id = any (${ids}::uuid[]) order by id for update`.execute(tx)
  const { rows } = await sql`
    with counted as materialized (
      select expert.id, rated.rating_sum, rated.rating_count
      from enablement.experts expert cross join lateral ${ratings} as rated where expert.id = any (${ids}::uuid[]))
    update enablement.experts expert set rating_sum = counted.rating_sum, rating_count = counted.rating_count
    from counted
    where expert.id = counted.id
      and (expert.rating_sum, expert.rating_count) <> (counted.rating_sum, counted.rating_count)
    returning expert.id
  `.execute(tx)
  return rows.length
}

/** Requests that wait for an expert who is not active. */
export async function findRequestsOfInactiveExperts(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select request.id from enablement.experts expert
      join enablement.expert_requests request on request.expert_id = expert.id and request.status = 'assigned'
    where not expert.is_active order by request.id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

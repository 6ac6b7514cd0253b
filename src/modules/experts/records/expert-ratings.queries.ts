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

/** Experts who are found by other topics than those of their profile. */
export async function findExpertsWithWrongTopics(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select expert.id from enablement.experts expert
    where array(select topic from enablement.expert_topics where expert_id = expert.id order by topic)
      <> array(select distinct topic collate "C" as topic from unnest(expert.topics) as own (topic) order by topic)
    order by expert.id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

const isUnscheduled = sql`next_check_at is null
  and (status in ('open', 'answered') or (status = 'assigned' and sla_breached_at is null)
    or (status = 'in_progress' and expert_reminded_at is null))`

/** Requests that the schedule would never look at. */
export async function findUnscheduledRequests(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from enablement.expert_requests where ${isUnscheduled} order by id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Locks in id order to avoid deadlocks. */
export async function scheduleRequests(tx: TenantTx, ids: readonly string[], now: Date): Promise<number> {
  await sql`
    select id from enablement.expert_requests where id = any (${ids}::uuid[]) order by id for no key update
  `.execute(tx)
  const { rows } = await sql`
    update enablement.expert_requests
    set next_check_at = case when status = 'answered' then greatest(answered_at + interval '7 days', ${now}) else ${now}::timestamptz end
    where id = any (${ids}::uuid[]) and ${isUnscheduled} returning id
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

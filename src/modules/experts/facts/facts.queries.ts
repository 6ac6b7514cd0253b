import { sql } from 'kysely'
import { type ComparedPeriod, isAnyOf, isInPeriod, isInPreviousPeriod, type TenantTx } from '#platform/db'

export type ExpertFacts = {
  count: number
  previous: number
  answered: number
  breached: number
  rating_sum: number
  rated: number
}

export async function readExpertFacts(
  tx: TenantTx,
  period: ComparedPeriod,
  users: readonly string[] | null,
): Promise<ExpertFacts> {
  const { rows } = await sql<ExpertFacts>`
    select count(*) filter (where ${isInPeriod('created_at', period)})::integer as count,
      count(*) filter (where ${isInPreviousPeriod('created_at', period)})::integer as previous,
      count(*) filter (where answered_at is not null and ${isInPeriod('created_at', period)})::integer as answered,
      count(*) filter (where sla_breached_at is not null and ${isInPeriod('created_at', period)})::integer as breached,
      coalesce(sum(rating) filter (where ${isInPeriod('created_at', period)}), 0)::integer as rating_sum,
      count(rating) filter (where ${isInPeriod('created_at', period)})::integer as rated
    from enablement.expert_requests
    where created_at >= ${period.previousFrom} and status <> 'cancelled' and ${isAnyOf('requester_id', users)}
  `.execute(tx)
  return rows[0]!
}

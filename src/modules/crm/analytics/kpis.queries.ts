import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { Span } from './days.rules.ts'
import { beginning, leadsAsked, stepsOf, sumsBy } from './facts.queries.ts'
import { thresholds } from './steps.rules.ts'
import type { Sums } from './tallies.rules.ts'

/** So many times are looked at one by one; of more than that the middle is told from the steps. */
export const mostTimes = 200_000

type Question = { current: Span; previous: Span; owner_id?: string; now: Date }
export type Middle = { lower: number; upper: number; before: number; n: number; total: number; ms: number | null }
type Answer = { sums: Sums[] | null; middle: Middle | null }

/**
 * All leads, told apart by when they were created, and the middle of the first response times of the current period. Of the
 * times only those are read that lie in the same step as the middle one.
 */
export async function readKpis(
  tx: TenantTx,
  { current, previous, owner_id, now }: Question,
  most = mostTimes,
): Promise<Answer> {
  const all = { span: {}, owner_id, now }
  const ofPeriod = { span: current, owner_id, now }
  const period = sql`case when day >= ${current.from}::date then 'current'
    when day >= ${previous.from}::date then 'previous' else 'earlier' end`
  const steps = [...thresholds]
  const answer = sql<Answer>`(
    with ${beginning(all)},
    ranked as (
      select step, n, sum(n) over (order by step) - n as before, sum(n) over () as total
      from (${stepsOf(ofPeriod, 'response')}) as steps
    ),
    middle as materialized (
      select min(before) as before, sum(n) as n, min(total) as total, floor((min(total) - 1) / 2)::bigint as first,
        floor(min(total) / 2)::bigint as last,
        coalesce((${steps}::bigint[])[min(step)], 0) as lower,
        coalesce((${steps}::bigint[])[max(step) + 1], 9007199254740991) as upper
      from ranked where before <= floor(total / 2) and before + n > floor((total - 1) / 2)
      having count(*) > 0
    )
    select (select json_agg(sums) from (${sumsBy('period', period, all)}) as sums) as sums,
      (select to_json(found) from (
        select lower, upper, before, n, total, (
          select avg(response_ms)::float8 from (
            select response_ms
            from (
              -- Casts outside the join: under row-level security a cast of an outer column is not an index condition.
              select at::date as day
              from generate_series(${current.from}::date, ${current.to}::date, interval '1 day') as series (at) offset 0
            ) as days
              cross join lateral (
                select response_ms from crm.leads lead where deleted_at is null and created_on = days.day
                  and response_ms >= (select lower from middle) and response_ms < (select upper from middle)
                  and ${leadsAsked({ span: {}, owner_id })}
                -- Keeps it a walk from day to day, each along the index; joined otherwise all days there are would be read.
                offset 0
              ) as times
            where (select n from middle) <= ${sql.lit(most)}
            order by response_ms offset (select first - before from middle) limit (select last - first + 1 from middle)
          ) as central
        ) as ms from middle
      ) as found) as middle
  )`
  return await tx.selectFrom(answer.as('answer')).select(['sums', 'middle']).executeTakeFirstOrThrow()
}

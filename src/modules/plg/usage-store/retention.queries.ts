import { type RawBuilder, sql } from 'kysely'
import type { DateRange } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { selectActorMasks } from './activity.queries.ts'
import { type Granularity, toMonthBits } from './periods.rules.ts'
import type { RetentionCell } from './retention.rules.ts'

type RetentionInput = {
  generation: number
  is_account: boolean
  granularity: Granularity
  periods: readonly DateRange[]
  event?: string
}

export async function listRetentionCells(tx: TenantTx, input: RetentionInput): Promise<RetentionCell[]> {
  const { generation, is_account, granularity, periods, event } = input
  const [from, to] = [periods[0]!.from, periods.at(-1)!.to]
  const indexOf = (day: RawBuilder<unknown>) => periodIndex(day, granularity, from)
  const activity =
    event === undefined
      ? selectActorMasks({ generation, is_account, months: toMonthBits(periods) })
      : sql`select actor_id, bit_or(1::bigint << ${indexOf(sql`day`)}) as mask from plg.actor_event_days
          where generation = ${generation} and is_account = ${is_account} and name = ${event} and day between ${from}::date and ${to}::date
          group by actor_id`
  const { rows } = await sql<RetentionCell>`
    with cohorts as materialized (
      select actor_id, ${indexOf(sql`first_active_on`)} as cohort from plg.first_days
      where generation = ${generation} and is_account = ${is_account} and first_active_on between ${from}::date and ${to}::date
    ),
    masks as materialized (
      select cohort, mask, count(*) as actors from cohorts join (${activity}) as activity using (actor_id) group by cohort, mask
    )
    select cohort, null::integer as period, count(*) as actors from cohorts group by cohort
    union all
    select cohort, period, sum(actors)::bigint from masks
      join generate_series(0, ${periods.length - 1}::integer) as period on mask & (1::bigint << period) <> 0
    group by cohort, period
  `.execute(tx)
  return rows
}

function periodIndex(day: RawBuilder<unknown>, granularity: Granularity, from: string): RawBuilder<number> {
  if (granularity === 'day') return sql`(${day} - ${from}::date)`
  if (granularity === 'week') return sql`((${day} - ${from}::date) / 7)`
  const monthsSince = (date: RawBuilder<unknown>) =>
    sql`(extract(year from ${date})::integer * 12 + extract(month from ${date})::integer)`
  return sql`(${monthsSince(day)} - ${monthsSince(sql`${from}::date`)})`
}

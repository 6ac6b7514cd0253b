import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { DayStarts } from '../usage-store/periods.rules.ts'

type CountedDays = DayStarts & { generation: number; until: string }

const eventCounts = ({ days, starts, until }: CountedDays) => sql`
  select (${days}::date[])[width_bucket(occurred_at::timestamptz, ${starts}::timestamptz[])] as day, name, count(*) as events
  from plg.events where occurred_at >= ${starts[0]}::timestamptz and occurred_at < ${until}::timestamptz group by 1, 2`

const activeCounts = ({ days, generation }: CountedDays) => sql`
  select day, is_account, count(*) as actors from plg.actor_days
  where generation = ${generation} and day = any (${days}::date[]) group by day, is_account`

/** Days whose roll-ups differ from the events, or from the active actors. `days` are consecutive. */
export async function listDaysWithDrift(tx: TenantTx, input: CountedDays): Promise<string[]> {
  const { days, generation } = input
  const { rows } = await sql<{ day: string }>`
    select coalesce(counted.day, stored.day) as day from (${eventCounts(input)}) as counted
    full join (
      select day, name, sum(events)::bigint as events from plg.event_days
      where generation = ${generation} and day = any (${days}::date[]) group by day, name) as stored using (day, name)
    where counted.events is distinct from stored.events
    union
    select coalesce(counted.day, stored.day) from (${activeCounts(input)}) as counted
    full join (
      select day, is_account, sum(actors)::bigint as actors from plg.active_days
      where generation = ${generation} and is_account = any (array[false, true]) and day = any (${days}::date[])
      group by day, is_account) as stored using (day, is_account)
    where counted.actors is distinct from stored.actors
    order by day
  `.execute(tx)
  return rows.map(({ day }) => day)
}

export async function deleteDayCounts(tx: TenantTx, { days, generation }: CountedDays): Promise<void> {
  await sql`delete from plg.event_days where generation = ${generation} and day = any (${days}::date[])`.execute(tx)
  await sql`
    delete from plg.active_days where generation = ${generation} and is_account = any (array[false, true]) and day = any (${days}::date[])
  `.execute(tx)
}

export async function insertDayCounts(tx: TenantTx, input: CountedDays): Promise<void> {
  const { generation } = input
  await sql`
    insert into plg.event_days (generation, day, name, shard, events)
    select ${generation}::integer, day, name, 0, events from (${eventCounts(input)}) as counted
  `.execute(tx)
  await sql`
    insert into plg.active_days (generation, is_account, day, shard, actors)
    select ${generation}::integer, is_account, day, 0, actors from (${activeCounts(input)}) as counted
  `.execute(tx)
}

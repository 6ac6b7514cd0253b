import { type RawBuilder, sql } from 'kysely'
import type { DateRange } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import type { MaskCount } from './masks.rules.ts'
import { type MonthBits, maxWindowsPerMonth } from './periods.rules.ts'
import type { ActivationCounts, DayNumbers, Measure, TopEvent } from './usage-store.ts'

type RollUps = { generation: number }
type OfKind = RollUps & { is_account: boolean }

export async function listDayNumberRows(
  tx: TenantTx,
  { generation, is_account, from, to }: OfKind & DateRange,
): Promise<DayNumbers[]> {
  const { rows } = await sql<DayNumbers>`
    select day, sum(active)::bigint as active, sum(new_actors)::bigint as new_actors, sum(events)::bigint as events from (
      select day, actors as active, 0 as new_actors, 0 as events from plg.active_days
      where generation = ${generation} and is_account = ${is_account} and day between ${from}::date and ${to}::date
      union all
      select first_active_on, 0, count(*), 0 from plg.first_days
      where generation = ${generation} and is_account = ${is_account} and first_active_on between ${from}::date and ${to}::date
      group by first_active_on
      union all
      select day, 0, 0, events from plg.event_days
      where generation = ${generation} and day between ${from}::date and ${to}::date
    ) as numbers group by day order by day
  `.execute(tx)
  return rows
}

const slots = Array.from({ length: maxWindowsPerMonth }, (_, slot) => slot + 1)
const maskColumns = sql.join(slots.map((slot) => sql`${sql.ref(`m${slot}`)} integer, ${sql.ref(`b${slot}`)} bigint`))
const windowBits = sql.join(
  slots.map((slot) => {
    const [mask, bit] = [sql.ref(`month.m${slot}`), sql.ref(`month.b${slot}`)]
    return sql`case when period.days & ${mask} <> 0 then ${bit} else 0 end`
  }),
  sql` | `,
)
const shiftedBits = sql`case when month.shift is null then 0 when month.shift >= 0 then period.days::bigint << month.shift
  else period.days::bigint >> -month.shift end`

const toRecordset = (months: readonly MonthBits[]): string =>
  JSON.stringify(
    months.map(({ month_on, shift, masks, bits }) => ({
      month_on,
      shift,
      ...Object.fromEntries(
        slots.flatMap((slot) => [
          [`m${slot}`, masks[slot - 1]],
          [`b${slot}`, bits[slot - 1]],
        ]),
      ),
    })),
  )

type MaskQuery = OfKind & { months: readonly MonthBits[] }

/** Selects `actor_id` and `mask`, whose bits are the windows in which the actor was active. */
export const selectActorMasks = ({ generation, is_account, months }: MaskQuery): RawBuilder<unknown> => sql`
  select period.actor_id, bit_or(${windowBits} | ${shiftedBits}) as mask
  from json_to_recordset(${toRecordset(months)}::json) as month (month_on date, shift integer, ${maskColumns})
  join plg.actor_periods period on period.month_on = month.month_on
  where period.generation = ${generation} and period.is_account = ${is_account}
  group by period.actor_id`

export async function countActorMasks(tx: TenantTx, query: MaskQuery): Promise<MaskCount[]> {
  const { rows } = await sql<MaskCount>`
    select mask, count(*) as actors from (${selectActorMasks(query)}) as activity where mask <> 0 group by mask
  `.execute(tx)
  return rows
}

export async function countNewActors(tx: TenantTx, query: OfKind & { windows: DateRange[] }): Promise<number[]> {
  const { generation, is_account, windows } = query
  const { rows } = await sql<{ actors: number }>`
    select (select count(*) from plg.first_days
      where generation = ${generation} and is_account = ${is_account} and first_active_on between bucket.since and bucket.until) as actors
    from unnest(${windows.map(({ from }) => from)}::date[], ${windows.map(({ to }) => to)}::date[])
      with ordinality as bucket (since, until, position)
    order by bucket.position
  `.execute(tx)
  return rows.map(({ actors }) => actors)
}

export async function listTopEventRows(
  tx: TenantTx,
  { generation, from, to, limit }: RollUps & DateRange & { limit: number },
): Promise<TopEvent[]> {
  const { rows } = await sql<TopEvent>`
    select top.name, top.events, (
      select count(distinct actor_id) from plg.actor_event_days
      where generation = ${generation} and not is_account and name = top.name and day between ${from}::date and ${to}::date) as people
    from (
      select name, sum(events)::bigint as events from plg.event_days
      where generation = ${generation} and day between ${from}::date and ${to}::date
      group by name order by sum(events) desc, name limit ${limit} offset 0) as top
    order by top.events desc, top.name
  `.execute(tx)
  return rows
}

type ActivationInput = RollUps & DateRange & { last_eligible_on: string; events: string[]; within_days: number }

/** A person is activated on the day of the last of the events, each counted on its first day. */
export async function countActivationRows(tx: TenantTx, input: ActivationInput): Promise<ActivationCounts> {
  const { generation, from, to, last_eligible_on, events, within_days } = input
  const { rows } = await sql<ActivationCounts>`
    with people as (
      select actor_id, first_active_on from plg.first_days
      where generation = ${generation} and not is_account and first_active_on between ${from}::date and ${to}::date
    ),
    eligible as materialized (select actor_id, first_active_on from people where first_active_on <= ${last_eligible_on}::date),
    activated as (
      select eligible.actor_id, max(first_done.day) - eligible.first_active_on as after_days
      from eligible join lateral (
        select name, min(day) as day from plg.actor_event_days
        where generation = ${generation} and actor_id = eligible.actor_id and name = any (${events}::text[])
        group by name
      ) as first_done on first_done.day <= eligible.first_active_on + ${within_days}::integer
      group by eligible.actor_id, eligible.first_active_on having count(*) = ${new Set(events).size}::bigint
    )
    select (select count(*) from eligible) as eligible, (select count(*) from activated) as activated,
      (select count(*) from people) - (select count(*) from eligible) as pending,
      (select percentile_cont(0.5) within group (order by after_days) from activated) as median_days
  `.execute(tx)
  return rows[0]!
}

type MeasureInput = RollUps & DateRange & { actor_ids: string[]; name: string | null }

export async function measureActorRows(tx: TenantTx, input: MeasureInput): Promise<Omit<Measure, 'people'>[]> {
  const { generation, actor_ids, name, from, to } = input
  const { rows } = await sql<Omit<Measure, 'people'>>`
    select actor.id as actor_id, coalesce(sum(counted.events), 0)::bigint as events, count(distinct counted.day) as days
    from unnest(${actor_ids}::uuid[]) as actor (id)
    left join plg.actor_event_days counted on counted.generation = ${generation} and counted.actor_id = actor.id
      and counted.day between ${from}::date and ${to}::date and (${name}::text is null or counted.name = ${name}::text)
    group by actor.id
  `.execute(tx)
  return rows
}

/** Counts the people of product accounts who did an event. A person belongs to the account in which it was seen last. */
export async function countPeopleOfAccounts(
  tx: TenantTx,
  input: MeasureInput,
): Promise<{ actor_id: string; people: number }[]> {
  const { generation, actor_ids, name, from, to } = input
  const { rows } = await sql<{ actor_id: string; people: number }>`
    select person.account_actor_id as actor_id, count(*) as people from plg.actors person
    where person.account_actor_id = any (${actor_ids}::uuid[]) and exists (
      select from plg.actor_event_days counted where counted.generation = ${generation} and counted.actor_id = person.id
      and counted.day between ${from}::date and ${to}::date and (${name}::text is null or counted.name = ${name}::text))
    group by person.account_actor_id
  `.execute(tx)
  return rows
}

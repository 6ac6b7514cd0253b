import { type RawBuilder, sql } from 'kysely'
import { compileOnce, type TenantTx } from '#platform/db'
import type { NewActorDay } from './usage-store.ts'

/** Parameters of roll-ups. `days` and `starts` are the local days of the events; `shard` splits rows that many batches change. */
export type RollUpInput = {
  generation: number
  days: string[]
  starts: string[]
  inactive_events: string[]
  shard: number
}

/**
 * Adds the events of the common table expression `stored` to all roll-ups. Rows of a table are changed in the order of their keys
 * and tables in the order of this text, so that concurrent batches cannot deadlock.
 */
export const rollUpStored = (input: RollUpInput): RawBuilder<unknown> => sql`
  local as materialized (
    select name, person_actor_id, account_actor_id, not (name = any (${input.inactive_events}::text[])) as is_active,
      (${input.days}::date[])[width_bucket(occurred_at::timestamptz, ${input.starts}::timestamptz[])] as day
    from stored
  ),
  actor_events as materialized (
    select person_actor_id as actor_id, false as is_account, name, day, is_active, count(*)::integer as events
    from local where person_actor_id is not null group by person_actor_id, name, day, is_active
    union all
    select account_actor_id, true, name, day, is_active, count(*)::integer
    from local where account_actor_id is not null group by account_actor_id, name, day, is_active
  ),
  new_days as (
    insert into plg.actor_days (generation, day, actor_id, is_account)
    select distinct ${input.generation}::integer, day, actor_id, is_account from actor_events where is_active order by day, actor_id
    on conflict on constraint actor_days_pkey do nothing returning day, actor_id, is_account
  ),
  first_days as (
    insert into plg.first_days as stored_day (generation, is_account, actor_id, first_active_on)
    select ${input.generation}::integer, is_account, actor_id, min(day) from new_days group by is_account, actor_id order by actor_id
    on conflict on constraint first_days_pkey do update set first_active_on = excluded.first_active_on
      where stored_day.first_active_on > excluded.first_active_on
  ),
  periods as (
    insert into plg.actor_periods as period (generation, is_account, month_on, actor_id, days)
    select ${input.generation}::integer, is_account, date_trunc('month', day)::date, actor_id,
      bit_or(1 << (extract(day from day)::integer - 1))
    from new_days group by is_account, date_trunc('month', day), actor_id order by is_account, date_trunc('month', day), actor_id
    on conflict on constraint actor_periods_pkey do update set days = period.days | excluded.days
  ),
  active_counts as (
    insert into plg.active_days as counted (generation, is_account, day, shard, actors)
    select ${input.generation}::integer, is_account, day, ${input.shard}::smallint, count(*)
    from new_days group by is_account, day order by is_account, day
    on conflict on constraint active_days_pkey do update set actors = counted.actors + excluded.actors
  ),
  actor_event_counts as (
    insert into plg.actor_event_days as counted (generation, actor_id, name, day, shard, is_account, events)
    select ${input.generation}::integer, actor_id, name, day, case when is_account then ${input.shard}::smallint else 0 end, is_account, events
    from actor_events order by actor_id, name, day
    on conflict on constraint actor_event_days_pkey do update set events = counted.events + excluded.events
  ),
  event_counts as (
    insert into plg.event_days as counted (generation, day, name, shard, events)
    select ${input.generation}::integer, day, name, ${input.shard}::smallint, count(*)
    from local group by day, name order by day, name
    on conflict on constraint event_days_pkey do update set events = counted.events + excluded.events
  )`

type Appended = { stored: number[] | null; new_days: NewActorDay[] | null }

export type AppendInput = RollUpInput & { rows: string; received_at: Date }

/** Stores the events that are not known yet, with their roll-ups, in one statement. */
export const appendEvents = compileOnce((tx: TenantTx, input: AppendInput) => ({
  compile: () =>
    sql<Appended>`
    with input as materialized (
      select event_id, seq, name, person_id, account_id, occurred_at, properties
      from json_to_recordset(${input.rows}::json) as event (
        event_id text, seq bigint, name text, person_id uuid, account_id uuid, occurred_at timestamptz, properties jsonb)
    ),
    new_keys as (
      insert into plg.event_keys (event_id, received_at)
      select event_id, ${input.received_at}::timestamptz from input order by event_id collate "C"
      on conflict on constraint event_keys_pkey do nothing returning event_id
    ),
    stored as (
      insert into plg.events (event_id, ingest_seq, name, person_actor_id, account_actor_id, occurred_at, received_at, properties)
      select event_id, seq, name, person_id, account_id, occurred_at, ${input.received_at}::timestamptz, properties
      from input join new_keys using (event_id)
      on conflict do nothing
      returning ingest_seq, name, person_actor_id, account_actor_id, occurred_at
    ),
    ${rollUpStored(input)}
    select (select json_agg(ingest_seq) from stored) as stored, (select json_agg(new_days) from new_days) as new_days
  `.compile(tx),
}))

export type AddRollUpsInput = RollUpInput & { stored_events: string }

/** Adds stored events to another generation of the roll-ups. */
export const addRollUps = compileOnce((tx: TenantTx, input: AddRollUpsInput) => ({
  compile: () =>
    sql<{ events: number }>`
    with stored as materialized (
      select event.name, event.person_actor_id, event.account_actor_id, event.occurred_at
      from json_to_recordset(${input.stored_events}::json) as key (occurred_at timestamptz, event_id text)
      join plg.events event on event.occurred_at = key.occurred_at and event.event_id = key.event_id collate "C"
    ),
    ${rollUpStored(input)}
    select count(*)::integer as events from stored
  `.compile(tx),
}))

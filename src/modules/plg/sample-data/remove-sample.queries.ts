import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function listActorIdsByPrefix(tx: TenantTx, prefix: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from plg.actors where is_account = any (array[false, true]) and ref >= ${prefix} and ref < ${`${prefix}~`} order by id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Former loads recorded all actors whose ref begins with `sample-`, also those of the customer. */
export async function listOwnSampleActors(tx: TenantTx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from plg.actors where id = any (${ids}::uuid[]) and ref ~ '^sample(:|-user-[0-9]+$|-team-[0-9]+$)' order by id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Deletes a batch of events and returns its size. The keys go too, so that the sample data can be loaded again. */
export async function deleteEventsOf(tx: TenantTx, actorIds: readonly string[], limit: number): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    with found as materialized (
      select occurred_at, event_id from plg.events where person_actor_id = any (${actorIds}::uuid[]) limit ${limit}
    ),
    keys as (
      delete from plg.event_keys key using found where key.event_id = found.event_id
    ),
    deleted as (
      delete from plg.events event using found
      where event.occurred_at = found.occurred_at and event.event_id = found.event_id returning 1
    )
    select count(*) as events from deleted
  `.execute(tx)
  return rows[0]!.events
}

const generation = sql`(select generation from plg.states)`
const ofAnyKind = sql`is_account = any (array[false, true])`

export type DayCount = { day: string; key: string; count: number }

/** Deletes the numbers of events on the days of the people, and returns those without their events. Every sample event has a person. */
export async function takeEventCounts(tx: TenantTx, actorIds: readonly string[]): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    with removed as materialized (
      select day, name, sum(events)::bigint as events from plg.actor_event_days
      where generation = ${generation} and actor_id = any (${actorIds}::uuid[]) and not is_account group by day, name
    ),
    taken as (
      delete from plg.event_days counted using removed
      where counted.generation = ${generation} and counted.day = removed.day and counted.name = removed.name
      returning counted.day, counted.name, counted.events as stored, removed.events
    )
    select day, name as key, (sum(stored) - min(events))::bigint as count from taken
    group by day, name having sum(stored) > min(events) order by day, name
  `.execute(tx)
  return rows
}

export async function insertEventCounts(tx: TenantTx, counts: readonly DayCount[]): Promise<void> {
  await sql`
    insert into plg.event_days (generation, day, name, shard, events)
    select ${generation}, day, key, 0, count from json_to_recordset(${JSON.stringify(counts)}::json) as counted (day date, key text, count bigint)
  `.execute(tx)
}

/** Deletes the numbers of active people and accounts on the days of the actors, and returns those without the actors. */
export async function takeActiveCounts(tx: TenantTx, actorIds: readonly string[]): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    with removed as materialized (
      select is_account, month_on + bit as day, count(*) as actors
      from plg.actor_periods join generate_series(0, 30) as bit on days & (1 << bit) <> 0
      where generation = ${generation} and ${ofAnyKind} and actor_id = any (${actorIds}::uuid[])
      group by is_account, month_on + bit
    ),
    taken as (
      delete from plg.active_days counted using removed
      where counted.generation = ${generation} and counted.is_account = removed.is_account and counted.day = removed.day
      returning counted.is_account, counted.day, counted.actors as stored, removed.actors
    )
    select day, is_account::text as key, (sum(stored) - min(actors))::bigint as count from taken
    group by day, is_account having sum(stored) > min(actors) order by is_account, day
  `.execute(tx)
  return rows
}

export async function insertActiveCounts(tx: TenantTx, counts: readonly DayCount[]): Promise<void> {
  await sql`
    insert into plg.active_days (generation, is_account, day, shard, actors)
    select ${generation}, key::boolean, day, 0, count from json_to_recordset(${JSON.stringify(counts)}::json) as counted (day date, key text, count bigint)
  `.execute(tx)
}

export async function deleteActorRollUps(tx: TenantTx, actorIds: readonly string[]): Promise<void> {
  await sql`
    with removed as (
      delete from plg.actor_periods where generation = ${generation} and ${ofAnyKind} and actor_id = any (${actorIds}::uuid[])
      returning actor_id, month_on, days
    )
    delete from plg.actor_days active using removed, generate_series(0, 30) as bit
    where active.generation = ${generation} and active.day = removed.month_on + bit and active.actor_id = removed.actor_id
      and removed.days & (1 << bit) <> 0
  `.execute(tx)
  await sql`
    delete from plg.first_days where generation = ${generation} and actor_id = any (${actorIds}::uuid[])
  `.execute(tx)
  await sql`
    delete from plg.actor_event_days where generation = ${generation} and actor_id = any (${actorIds}::uuid[])
  `.execute(tx)
}

/** Names that users also send are kept. */
export async function deleteUnusedEventNames(tx: TenantTx, names: readonly string[]): Promise<void> {
  await sql`
    delete from plg.event_names where name = any (${names}::text[]) and not exists (
      select from plg.event_days used where used.generation = (select generation from plg.states)
        and used.name = plg.event_names.name and used.events > 0)
  `.execute(tx)
}

/** Qualifications and texts are deleted with their actors. */
export async function deleteActorRows(tx: TenantTx, actorIds: readonly string[]): Promise<void> {
  await sql`delete from plg.actor_marks where actor_id = any (${actorIds}::uuid[])`.execute(tx)
  await sql`select id from plg.actors where id = any (${actorIds}::uuid[]) order by id for update`.execute(tx)
  await sql`delete from plg.actors where id = any (${actorIds}::uuid[]) returning id`.execute(tx)
}

import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function listSampleActorIds(tx: TenantTx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from plg.actors where is_account = any (array[false, true]) and ref >= 'sample-' and ref < 'sample.' order by id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export async function listActiveDaysOf(tx: TenantTx, actorIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select distinct day from plg.actor_event_days
    where generation = (select generation from plg.states) and actor_id = any (${actorIds}::uuid[]) order by day
  `.execute(tx)
  return rows.map(({ day }) => day)
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

type DeletedActors = { actorIds: readonly string[]; days: readonly string[] }

export async function deleteActorRollUps(tx: TenantTx, { actorIds, days }: DeletedActors): Promise<void> {
  const generation = sql`(select generation from plg.states)`
  await sql`
    delete from plg.actor_days
    where generation = ${generation} and day = any (${days}::date[]) and actor_id = any (${actorIds}::uuid[])
  `.execute(tx)
  await sql`
    delete from plg.actor_periods where generation = ${generation} and is_account = any (array[false, true])
      and month_on = any (array(select distinct date_trunc('month', day)::date from unnest(${days}::date[]) as active (day)))
      and actor_id = any (${actorIds}::uuid[])
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

import { sql } from 'kysely'
import { compileOnce, type Database, type TenantTx } from '#platform/db'
import type { CountedFrom } from '../usage-store/day-starts.rules.ts'
import { type RollUpInput, rollUpStored } from '../usage-store/roll-ups.queries.ts'

export type RebuildState = {
  generation: number
  timezone: string
  inactive_events: string[]
  next_generation: number | null
  next_timezone: string | null
  next_inactive_events: string[] | null
  counted_on: string | null
  counted_from: Date | null
  next_counted_on: string | null
  next_counted_from: Date | null
  purged_until: Date | null
  copy_step: number | null
  copied_until: string[] | null
  switched_at: Date | null
  last_generation: number
  rebuild_until_seq: number | null
  rebuild_failed: boolean
  rebuilt_at: string
  rebuilt_id: string
}

/** The position is a text, because a date cannot hold the beginning of time. */
export async function lockRebuildState(tx: TenantTx): Promise<RebuildState | undefined> {
  const { rows } = await sql<RebuildState>`
    select generation, timezone, inactive_events, next_generation, next_timezone, next_inactive_events, rebuild_until_seq,
      counted_on, counted_from, next_counted_on, next_counted_from, purged_until, copy_step, copied_until, switched_at, rebuild_failed,
      last_generation,
      rebuilt_at::text as rebuilt_at, rebuilt_id
    from plg.states for no key update
  `.execute(tx)
  return rows[0]
}

type NextGeneration = {
  generation: number
  timezone: string
  inactive_events: readonly string[]
  untilSeq: number
  counted: CountedFrom | null
}

export async function startNextGeneration(tx: TenantTx, next: NextGeneration): Promise<void> {
  await sql`
    update plg.states set next_generation = ${next.generation}, last_generation = ${next.generation}, next_timezone = ${next.timezone},
      next_inactive_events = ${next.inactive_events}::text[], rebuild_until_seq = ${next.untilSeq},
      next_counted_on = ${next.counted?.counted_on ?? null}::date, next_counted_from = ${next.counted?.counted_from ?? null}::timestamptz,
      copy_step = ${next.counted ? 0 : null}::integer, copied_until = null,
      rebuilt_at = coalesce(${next.counted?.counted_from ?? null}::timestamptz, '-infinity'),
      rebuilt_id = '', rebuild_failed = false, updated_at = now()
  `.execute(tx)
}

export async function abandonNextGeneration(tx: TenantTx, now: Date): Promise<void> {
  await sql`
    update plg.states set next_generation = null, next_timezone = null, next_inactive_events = null, rebuild_until_seq = null,
      next_counted_on = null, next_counted_from = null, copy_step = null, copied_until = null, switched_at = ${now}, updated_at = now()
  `.execute(tx)
}

export async function switchGeneration(tx: TenantTx, now: Date): Promise<void> {
  await sql`
    update plg.states set generation = next_generation, timezone = next_timezone, inactive_events = next_inactive_events,
      counted_on = next_counted_on, counted_from = next_counted_from, next_counted_on = null, next_counted_from = null,
      next_generation = null, next_timezone = null, next_inactive_events = null, rebuild_until_seq = null, rebuild_failed = false,
      switched_at = ${now}, updated_at = now()
    where next_generation is not null
  `.execute(tx)
}

export async function markRebuildFailed(tx: TenantTx): Promise<void> {
  await tx.updateTable('plg.states').set({ rebuild_failed: true }).execute()
}

type CopyPosition = { step: number | null; until: readonly string[] | null }

/** The step is null once everything is copied. */
export async function saveCopyPosition(tx: TenantTx, { step, until }: CopyPosition): Promise<void> {
  const copiedUntil = until ? JSON.stringify(until) : null
  await sql`update plg.states set copy_step = ${step}::integer, copied_until = ${copiedUntil}::jsonb`.execute(tx)
}

type Position = { after_at: string; after_id: string; until_seq: number; limit: number }
export type EventPage = {
  events: number
  first_at: Date | null
  last_at: Date | null
  last_at_text: string | null
  last_id: string | null
}

export async function findNextEvents(
  tx: TenantTx,
  { after_at, after_id, until_seq, limit }: Position,
): Promise<EventPage> {
  const { rows } = await sql<EventPage>`
    select count(*) as events, min(occurred_at) as first_at, max(occurred_at) as last_at, max(occurred_at)::text as last_at_text,
      (array_agg(event_id order by occurred_at desc, event_id desc))[1] as last_id
    from (
      select occurred_at, event_id from plg.events
      where (occurred_at, event_id) > (${after_at}::timestamptz, ${after_id}::text) and ingest_seq <= ${until_seq}
      order by occurred_at, event_id limit ${limit}) as page
  `.execute(tx)
  return rows[0]!
}

export type RollUpPage = RollUpInput & {
  after_at: string
  after_id: string
  last_at: string
  last_id: string
  until_seq: number
}

export const rollUpEvents = compileOnce((tx: TenantTx, input: RollUpPage) => ({
  compile: () =>
    sql<{ events: number }>`
    with stored as materialized (
      select name, person_actor_id, account_actor_id, occurred_at from plg.events
      where (occurred_at, event_id) > (${input.after_at}::timestamptz, ${input.after_id}::text)
        and (occurred_at, event_id) <= (${input.last_at}::timestamptz, ${input.last_id}::text) and ingest_seq <= ${input.until_seq}
    ),
    ${rollUpStored(input)}
    select count(*)::integer as events from stored
  `.compile(tx),
}))

export async function saveRebuildPosition(tx: TenantTx, { at, id }: { at: string; id: string }): Promise<void> {
  await sql`update plg.states set rebuilt_at = ${at}::timestamptz, rebuilt_id = ${id}`.execute(tx)
}

/** The last number that was reserved. All transactions that reserved one have ended, because the caller has the lock. */
export async function findLastSeq(tx: TenantTx): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select nextval('plg.ingest_seq') as seq`.execute(tx)
  return rows[0]!.seq
}

export const rollUpTables = [
  'plg.event_days',
  'plg.actor_days',
  'plg.active_days',
  'plg.actor_periods',
  'plg.first_days',
  'plg.actor_event_days',
] as const satisfies (keyof Database)[]

type Generations = { current: number; next: number | null }

/** Deletes a batch of roll-ups of former generations, and of those that a later rebuild replaced. */
export async function deleteUnusedRollUps(
  tx: TenantTx,
  table: (typeof rollUpTables)[number],
  { current, next }: Generations,
  limit: number,
): Promise<number> {
  const lastUnused = next === null ? 2_147_483_647 : next - 1
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ctid = any (array(
      (select ctid from ${sql.table(table)} where generation < ${current} limit ${limit})
      union all
      (select ctid from ${sql.table(table)} where generation > ${current} and generation <= ${lastUnused} limit ${limit})))
  `.execute(tx)
  return Number(numAffectedRows)
}

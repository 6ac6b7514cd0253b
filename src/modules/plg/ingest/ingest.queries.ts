import { sql } from 'kysely'
import { acquireAdvisoryLock, selectRows, type TenantTx } from '#platform/db'

export async function countAcceptedEvents(tx: TenantTx, monthOn: string): Promise<number> {
  const { rows } = await sql<{ accepted: number }>`
    select coalesce(sum(accepted), 0)::bigint as accepted from plg.usage_months where month_on = ${monthOn}::date
  `.execute(tx)
  return rows[0]!.accepted
}

type AcceptedEvents = { monthOn: string; shard: number; accepted: number }

export async function addAcceptedEvents(tx: TenantTx, { monthOn, shard, accepted }: AcceptedEvents): Promise<void> {
  await sql`
    insert into plg.usage_months as counted (month_on, shard, accepted) values (${monthOn}::date, ${shard}, ${accepted})
    on conflict on constraint usage_months_pkey do update set accepted = counted.accepted + excluded.accepted
  `.execute(tx)
}

export async function listKnownNames(tx: TenantTx, names: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('plg.event_names')
    .select('name')
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .execute()
  return rows.map(({ name }) => name)
}

/** Serializes the first use of event names, so that their number stays within its limit. */
export async function lockEventNames(tx: TenantTx): Promise<void> {
  await acquireAdvisoryLock(tx, 'plg_event_names')
}

export async function countEventNames(tx: TenantTx): Promise<number> {
  const { count } = await tx
    .selectFrom('plg.event_names')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function insertEventNames(tx: TenantTx, names: readonly string[], firstSeenAt: Date): Promise<void> {
  const { columns, rows } = selectRows(
    names.map((name) => ({ name, first_seen_at: firstSeenAt })),
    { name: 'text', first_seen_at: 'timestamptz' },
  )
  await tx.insertInto('plg.event_names').columns(columns).expression(rows).execute()
}

export type ActorMark = { actor_id: string; ingest_seq: number; active_on: string[] }

export async function insertActorMarks(tx: TenantTx, marks: readonly ActorMark[]): Promise<void> {
  if (!marks.length) return
  await sql`
    insert into plg.actor_marks (actor_id, ingest_seq, active_on)
    select actor_id, ingest_seq, array(select json_array_elements_text(active_on)::date)
    from json_to_recordset(${JSON.stringify(marks)}::json) as mark (actor_id uuid, ingest_seq bigint, active_on json)
    on conflict on constraint actor_marks_pkey do nothing
  `.execute(tx)
}

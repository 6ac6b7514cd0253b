import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { ActorKind, TimelineEvent, TimelineQuery } from './usage-store.ts'

const actorColumn = (kind: ActorKind): RawBuilder<string> =>
  sql.ref(kind === 'person' ? 'person_actor_id' : 'account_actor_id')

export async function listTimelineRows(tx: TenantTx, query: TimelineQuery): Promise<TimelineEvent[]> {
  const { actor_id, kind, limit, before } = query
  const isEarlier = before
    ? sql`occurred_at <= ${before.occurred_at} and (occurred_at, ingest_seq) < (${before.occurred_at}::timestamptz, ${before.seq}::bigint)`
    : sql`true`
  const { rows } = await sql<TimelineEvent>`
    select event_id, ingest_seq as seq, name, person_actor_id as person_id, account_actor_id as account_id, occurred_at, properties
    from plg.events where ${actorColumn(kind)} = ${actor_id}::uuid and ${isEarlier}
    order by occurred_at desc, ingest_seq desc limit ${limit}
  `.execute(tx)
  return rows
}

export async function clearProperties(tx: TenantTx, actorId: string, kind: ActorKind, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with found as (
      select occurred_at, event_id from plg.events
      where ${actorColumn(kind)} = ${actorId}::uuid and properties is not null limit ${limit}
    )
    update plg.events event set properties = null from found
    where event.occurred_at = found.occurred_at and event.event_id = found.event_id
  `.execute(tx)
  return Number(numAffectedRows)
}

import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { EventEnvelope } from './subscriptions.ts'

const columns = [
  'id',
  'type',
  'subject_type',
  'subject_id',
  'subject_version',
  'actor',
  'origin',
  'data',
  'occurred_at',
] as const

type EventRow = Awaited<ReturnType<typeof selectById>>[number]

/** Returns the events in the order of their ids; deleted ones are left out. */
export async function listEventsById(tx: TenantTx, ids: readonly string[]): Promise<EventEnvelope[]> {
  return (await selectById(tx, ids)).map(toEnvelope)
}

const selectById = (tx: TenantTx, ids: readonly string[]) =>
  tx
    .selectFrom('platform.outbox_events')
    .select(columns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .execute()

/** Returns events in the order of their ids, as long as they are kept. */
export async function listEventsAfter(tx: TenantTx, after: string, limit: number): Promise<EventEnvelope[]> {
  const rows = await tx
    .selectFrom('platform.outbox_events')
    .select(columns)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toEnvelope)
}

const toEnvelope = ({ subject_type, subject_id, subject_version, ...row }: EventRow): EventEnvelope => ({
  id: row.id,
  type: row.type,
  subject: { type: subject_type, id: subject_id, version: subject_version },
  actor: row.actor as EventEnvelope['actor'],
  origin: row.origin as EventEnvelope['origin'],
  data: row.data,
  isTruncated: (row.data as { truncated?: unknown }).truncated === true,
  occurred_at: row.occurred_at,
})

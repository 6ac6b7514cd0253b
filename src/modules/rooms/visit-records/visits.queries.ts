import { type Insertable, type Selectable, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'

type Visits = Database['enablement.room_visits']

const visitColumns = [
  'id',
  'room_id',
  'link_id',
  'visitor_id',
  'started_at',
  'last_event_at',
  'last_heartbeat_at',
  'counted_at',
  'reported_seconds',
  'active_seconds',
  'heartbeats',
  'ended_at',
  'is_internal',
  'is_bot',
  'identity',
  'gate_version',
  'is_preview',
  'holder_id',
] as const
export type VisitRow = Pick<Selectable<Visits>, (typeof visitColumns)[number]>

export function insertVisit(tx: TenantTx, visit: Insertable<Visits>): Promise<VisitRow> {
  return tx.insertInto('enablement.room_visits').values(visit).returning(visitColumns).executeTakeFirstOrThrow()
}

export const findVisit = (tx: TenantTx, id: string): Promise<VisitRow | undefined> =>
  tx.selectFrom('enablement.room_visits').select(visitColumns).where('id', '=', id).executeTakeFirst()

export const lockVisit = (tx: TenantTx, id: string): Promise<VisitRow> =>
  tx
    .selectFrom('enablement.room_visits')
    .select(visitColumns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

type VisitChanges = Partial<
  Omit<
    VisitRow,
    | 'id'
    | 'room_id'
    | 'link_id'
    | 'visitor_id'
    | 'started_at'
    | 'is_internal'
    | 'identity'
    | 'gate_version'
    | 'is_preview'
    | 'holder_id'
  >
>

/** The recount finds changed visits by `updated_at`. */
export async function updateVisitRow(tx: TenantTx, id: string, changes: VisitChanges): Promise<void> {
  await tx
    .updateTable('enablement.room_visits')
    .set({ ...changes, updated_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

export async function readEarlierVisits(tx: TenantTx, { id, room_id, visitor_id }: VisitRow) {
  const counted = tx
    .selectFrom('enablement.room_visits')
    .where('room_id', '=', room_id)
    .where('id', '!=', id)
    .where('counted_at', 'is not', null)
    .where('is_internal', '=', false)
    .where('is_bot', '=', false)
  const [ofRoom, ofVisitor] = await Promise.all([
    counted.select(({ fn }) => fn.max('last_event_at').as('at')).executeTakeFirst(),
    counted
      .select(({ fn }) => fn.max('last_event_at').as('at'))
      .where('visitor_id', '=', visitor_id)
      .executeTakeFirst(),
  ])
  return { lastOfRoom: ofRoom?.at ?? null, lastOfVisitor: ofVisitor?.at ?? null }
}

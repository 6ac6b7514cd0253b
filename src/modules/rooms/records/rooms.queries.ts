import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'

type Rooms = Database['enablement.rooms']

export const roomColumns = [
  'id',
  'name',
  'name_key',
  'public_title',
  'room_type',
  'status',
  'account_id',
  'opportunity_id',
  'primary_contact_id',
  'owner_id',
  'is_template',
  'welcome',
  'branding',
  'settings',
  'engagement_score',
  'engagement_band',
  'first_external_visit_at',
  'last_external_visit_at',
  'activated_at',
  'closed_at',
  'created_by',
  'created_at',
  'updated_at',
  'deleted_at',
  'version',
] as const
export type RoomRow = Pick<Selectable<Rooms>, (typeof roomColumns)[number]>

const selectRoom = (tx: TenantTx, id: string) =>
  tx.selectFrom('enablement.rooms').select(roomColumns).where('id', '=', id).where('deleted_at', 'is', null)

export const findRoom = (tx: TenantTx, id: string): Promise<RoomRow | undefined> =>
  selectRoom(tx, id).executeTakeFirst()

export const getRoom = (tx: TenantTx, id: string): Promise<RoomRow> =>
  selectRoom(tx, id).executeTakeFirstOrThrow(() => notFound('room'))

export const lockRoom = (tx: TenantTx, id: string): Promise<RoomRow> =>
  selectRoom(tx, id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('room'))

export function listRoomsByIds(tx: TenantTx, ids: readonly string[]): Promise<RoomRow[]> {
  return tx
    .selectFrom('enablement.rooms')
    .select(roomColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Finds the names of rooms, also of deleted ones. */
export async function findRoomNames(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map()
  const rooms = await tx
    .selectFrom('enablement.rooms')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rooms.map(({ id, name }) => [id, name]))
}

export function insertRoom(tx: TenantTx, room: Insertable<Rooms>): Promise<RoomRow> {
  return tx.insertInto('enablement.rooms').values(room).returning(roomColumns).executeTakeFirstOrThrow()
}

export function updateRoomRow(tx: TenantTx, id: string, fields: Updateable<Rooms>): Promise<RoomRow> {
  return tx
    .updateTable('enablement.rooms')
    .set(fields)
    .where('id', '=', id)
    .returning(roomColumns)
    .executeTakeFirstOrThrow()
}

/** Counts a version, because a part of the room changed. */
export function touchRoom(tx: TenantTx, id: string): Promise<RoomRow> {
  return tx
    .updateTable('enablement.rooms')
    .set(({ ref }) => ({ name: ref('name') }))
    .where('id', '=', id)
    .returning(roomColumns)
    .executeTakeFirstOrThrow()
}

export async function deleteRoomRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('enablement.rooms').where('id', '=', id).execute()
}

export async function hasVisits(tx: TenantTx, roomId: string): Promise<boolean> {
  const visit = await tx
    .selectFrom('enablement.room_visits')
    .select('id')
    .where('room_id', '=', roomId)
    .limit(1)
    .executeTakeFirst()
  return visit !== undefined
}

export function lockRoomNamesOfAccount(tx: TenantTx, accountId: string) {
  return tx
    .selectFrom('enablement.rooms')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export async function updateRoomSearchTexts(
  tx: TenantTx,
  rooms: readonly { id: string; search_text: string }[],
): Promise<void> {
  const [ids, texts] = [rooms.map(({ id }) => id), rooms.map(({ search_text }) => search_text)]
  await sql`
    update enablement.rooms as room set search_text = renamed.search_text
    from unnest(${ids}::uuid[], ${texts}::text[]) as renamed (id, search_text)
    where room.id = renamed.id and room.search_text <> renamed.search_text
  `.execute(tx)
}

const ownerBatchSize = 100

export function lockRoomsOfOwner(tx: TenantTx, ownerId: string): Promise<RoomRow[]> {
  return tx
    .selectFrom('enablement.rooms')
    .select(roomColumns)
    .where('owner_id', '=', ownerId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(sql.lit(ownerBatchSize))
    .forNoKeyUpdate()
    .execute()
}

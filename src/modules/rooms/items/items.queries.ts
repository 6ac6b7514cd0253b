import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Database, selectRows, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'

type Items = Database['enablement.room_items']

const itemColumns = [
  'id',
  'room_id',
  'section_id',
  'kind',
  'content_item_id',
  'pinned_version_no',
  'title',
  'description',
  'url',
  'body',
  'position',
  'is_visible',
  'downloads_allowed',
  'added_by',
  'views',
  'last_viewed_at',
  'created_at',
  'updated_at',
  'version',
] as const
export type RoomItemRow = Pick<Selectable<Items>, (typeof itemColumns)[number]>

export function listRoomItemRows(tx: TenantTx, roomId: string): Promise<RoomItemRow[]> {
  return tx
    .selectFrom('enablement.room_items')
    .select(itemColumns)
    .where('room_id', '=', roomId)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

export function listRoomItemRowsById(tx: TenantTx, ids: readonly string[]): Promise<RoomItemRow[]> {
  return tx
    .selectFrom('enablement.room_items')
    .select(itemColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

export function getRoomItemRow(tx: TenantTx, roomId: string, id: string): Promise<RoomItemRow> {
  return tx
    .selectFrom('enablement.room_items')
    .select(itemColumns)
    .where('room_id', '=', roomId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('room item'))
}

export function insertRoomItem(tx: TenantTx, item: Insertable<Items>): Promise<RoomItemRow> {
  return tx.insertInto('enablement.room_items').values(item).returning(itemColumns).executeTakeFirstOrThrow()
}

type CopiedItem = Omit<RoomItemRow, 'room_id' | 'views' | 'last_viewed_at' | 'created_at' | 'updated_at' | 'version'>

export async function insertRoomItems(tx: TenantTx, roomId: string, items: readonly CopiedItem[]): Promise<void> {
  const { columns, rows } = selectRows(
    items.map((item) => ({ ...item, room_id: roomId })),
    {
      id: 'uuid',
      room_id: 'uuid',
      section_id: 'uuid',
      kind: 'text',
      content_item_id: 'uuid',
      pinned_version_no: 'integer',
      title: 'text',
      description: 'text',
      url: 'text',
      body: 'text',
      position: 'integer',
      is_visible: 'boolean',
      downloads_allowed: 'boolean',
      added_by: 'uuid',
    } as const,
  )
  await tx.insertInto('enablement.room_items').columns(columns).expression(rows).execute()
}

export function updateRoomItemRow(tx: TenantTx, id: string, fields: Updateable<Items>): Promise<RoomItemRow> {
  return tx
    .updateTable('enablement.room_items')
    .set(fields)
    .where('id', '=', id)
    .returning(itemColumns)
    .executeTakeFirstOrThrow()
}

export async function deleteRoomItemRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('enablement.room_items').where('id', '=', id).execute()
}

export async function updateItemPositions(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`
    update enablement.room_items as item set position = placed.place - 1
    from unnest(${ids}::uuid[]) with ordinality as placed (id, place)
    where item.id = placed.id and item.position <> placed.place - 1
  `.execute(tx)
}

/** Rooms that visitors can open and that show the content item. */
export async function listActiveRoomsWithContent(tx: TenantTx, contentItemId: string) {
  return await tx
    .selectFrom('enablement.room_items as item')
    .innerJoin('enablement.rooms as room', 'room.id', 'item.room_id')
    .select(['room.id', 'room.name', 'room.owner_id'])
    .where('item.content_item_id', '=', contentItemId)
    .where('item.is_visible', '=', true)
    .where('room.status', '=', 'active')
    .where('room.deleted_at', 'is', null)
    .orderBy('room.id')
    .limit(1_000)
    .execute()
}

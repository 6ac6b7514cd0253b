import type { Selectable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'

const cardColumns = ['id', 'name', 'public_title', 'room_type', 'status', 'owner_id', 'deleted_at'] as const

/** RoomCard is what other modules need to know about a room. */
export type RoomCard = Pick<Selectable<Database['enablement.rooms']>, (typeof cardColumns)[number]>

const selectCard = (tx: TenantTx, id: string) =>
  tx.selectFrom('enablement.rooms').select(cardColumns).where('id', '=', id).where('deleted_at', 'is', null)

export const findRoomCard = (tx: TenantTx, id: string): Promise<RoomCard | undefined> =>
  selectCard(tx, id).executeTakeFirst()

/** Keeps type and status of the room until the transaction ends. */
export const lockRoomCardShared = (tx: TenantTx, id: string): Promise<RoomCard | undefined> =>
  selectCard(tx, id).forShare().executeTakeFirst()

/** Includes deleted rooms. */
export function listCommunityRoomCards(tx: TenantTx): Promise<RoomCard[]> {
  return tx
    .selectFrom('enablement.rooms')
    .select(cardColumns)
    .where('room_type', '=', 'community')
    .orderBy('id')
    .execute()
}

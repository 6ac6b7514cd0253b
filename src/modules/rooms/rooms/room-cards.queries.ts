import type { Selectable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'

const cardColumns = ['id', 'name', 'public_title', 'room_type', 'status', 'owner_id', 'deleted_at'] as const

/** RoomSummary is what other modules need to know about a room. */
export type RoomSummary = Pick<Selectable<Database['enablement.rooms']>, (typeof cardColumns)[number]>

const selectCard = (tx: TenantTx, id: string) =>
  tx.selectFrom('enablement.rooms').select(cardColumns).where('id', '=', id).where('deleted_at', 'is', null)

export const findRoomSummary = (tx: TenantTx, id: string): Promise<RoomSummary | undefined> =>
  selectCard(tx, id).executeTakeFirst()

/** Keeps type and status of the room until the transaction ends. */
export const lockRoomSummaryShared = (tx: TenantTx, id: string): Promise<RoomSummary | undefined> =>
  selectCard(tx, id).forShare().executeTakeFirst()

/** Includes deleted rooms. */
export function listCommunityRoomSummaries(tx: TenantTx): Promise<RoomSummary[]> {
  return tx
    .selectFrom('enablement.rooms')
    .select(cardColumns)
    .where('room_type', '=', 'community')
    .orderBy('id')
    .execute()
}

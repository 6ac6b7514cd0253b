import type { UserActor } from '#platform/access'
import type { Page, TenantTx } from '#platform/db'
import { listRoomRows } from './list-rooms.queries.ts'
import type { RoomSummary } from './room-details.schemas.ts'
import { toRoomSummaries } from './room-details.service.ts'
import type { RoomQuery } from './rooms.schemas.ts'

export async function listRooms(
  tx: TenantTx,
  actor: UserActor,
  { mine, ...query }: RoomQuery,
): Promise<Page<RoomSummary>> {
  const { items, ...rest } = await listRoomRows(tx, { ...query, ...(mine && { owner_id: actor.userId }) })
  return { ...rest, items: await toRoomSummaries(tx, items, actor.scopes) }
}

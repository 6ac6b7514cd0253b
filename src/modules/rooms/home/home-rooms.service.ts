import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { listRoomItemRowsById } from '../items/items.queries.ts'
import { readItemTitles } from '../items/items.service.ts'
import { visitIdentityOf } from '../visit-records/visits.rules.ts'
import { type HomeRooms, maxHomeVisits } from './home.schemas.ts'
import { listLatestVisits } from './home-rooms.queries.ts'

export async function getHomeRooms(tx: TenantTx, { userId, scopes }: UserActor): Promise<HomeRooms> {
  const visits = await listLatestVisits(tx, userId, maxHomeVisits)
  const itemIds = visits.flatMap(({ item_id }) => item_id ?? [])
  const titles = await readItemTitles(tx, itemIds.length ? await listRoomItemRowsById(tx, itemIds) : [])
  return {
    items: visits.map(({ room_id, room_name, band, name, email, item_id, seconds, at, ...visit }) => ({
      room: { id: room_id, name: room_name, band: band as HomeRooms['items'][number]['room']['band'] },
      visitor: {
        name: name ?? (scopes.has('contacts.read') ? email : null),
        identity: email === null ? 'anonymous' : visitIdentityOf(visit, { email, ...visit }),
      },
      title: (item_id !== null && titles.get(item_id)) || room_name,
      seconds,
      at,
    })),
  }
}

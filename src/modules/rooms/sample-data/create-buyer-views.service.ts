import { insertVisitViews } from '#modules/library'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { storeEngagement } from '../analytics/engagement.service.ts'
import { recountRooms } from '../integrity/integrity.queries.ts'
import { listRoomItemRows } from '../items/items.queries.ts'
import { insertBuyerVisits } from './buyer-visits.queries.ts'

export type BuyerView = {
  item_id: string
  opportunity_id: string
  started_at: Date
  /** Null if the content has no pages. */
  max_page: number | null
}

const secondsPerView = { active_seconds: 90, heartbeats: 6 }

/** Each view has its own visitor and visit, which are deleted with the room. Counts the room and its engagement again. */
export async function createBuyerViews(
  tx: TenantTx,
  roomId: string,
  views: readonly BuyerView[],
  now: Date,
): Promise<void> {
  const placed = new Map((await listRoomItemRows(tx, roomId)).map((item) => [item.content_item_id, item.id]))
  const rows = views.map((view) => ({ ...view, ...secondsPerView, visitor_id: newId(), visit_id: newId() }))
  await insertBuyerVisits(tx, roomId, rows)
  await insertVisitViews(
    tx,
    rows.map((view) => ({
      ...view,
      id: newId(),
      version_no: null,
      room_id: roomId,
      room_item_id: placed.get(view.item_id) ?? null,
      account_id: null,
      last_event_at: view.started_at,
      progress: view.max_page === null ? 0 : 1,
      has_progress: view.max_page !== null,
      page_seconds: null,
      completed: true,
      downloaded_at: null,
    })),
  )
  await recountRooms(tx, [roomId])
  await storeEngagement(tx, roomId, now)
}

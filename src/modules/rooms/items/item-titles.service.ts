import { readViewer } from '#modules/library'
import type { TenantTx } from '#platform/db'
import type { RoomItemRow } from './items.queries.ts'
import { isRestricted } from './room-content.rules.ts'
import { readRoomItemContent } from './room-content.service.ts'

/** Titles of the items, by id. Titles of content that the reader may not see are empty. */
export async function readItemTitles(tx: TenantTx, rows: readonly RoomItemRow[]): Promise<Map<string, string>> {
  if (!rows.length) return new Map()
  const [viewer, placed] = await Promise.all([readViewer(tx), readRoomItemContent(tx, rows)])
  return new Map(
    placed.map((item) => {
      const { row, content, added } = item
      return [row.id, isRestricted(item, viewer) ? '' : (row.title ?? content?.title ?? added?.title ?? '')]
    }),
  )
}

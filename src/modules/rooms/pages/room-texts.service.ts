import { listStoredBodies, updateStoredBodies } from '#modules/library'
import type { TenantTx } from '#platform/db'
import type { RoomItemContent } from '../items/room-content.service.ts'
import { listStoredHtml, updateStoredHtml } from './room-texts.queries.ts'

type TextKind = 'content_item' | 'room' | 'room_item'

/** A Markdown text that the page shows; `itemId` is null for the welcome text. */
export type RoomText = { itemId: string | null; kind: TextKind; id: string; source: string; html: string | null }

type ShownRoom = { room: { id: string; welcome: string | null }; shown: readonly RoomItemContent[] }

export async function listRoomTexts(tx: TenantTx, { room, shown }: ShownRoom): Promise<RoomText[]> {
  const texts = [
    ...(room.welcome ? [{ itemId: null, kind: 'room' as const, id: room.id, source: room.welcome }] : []),
    ...shown.flatMap(toText),
  ]
  const idsOf = (kind: TextKind) => [...new Set(texts.filter((text) => text.kind === kind).map(({ id }) => id))]
  const [room_item, content_item, ofRoom] = await Promise.all([
    listStoredHtml(tx, 'room_item', idsOf('room_item')),
    listStoredBodies(tx, idsOf('content_item')),
    listStoredHtml(tx, 'room', idsOf('room')),
  ])
  const stored = { room_item, content_item, room: ofRoom }
  return texts.map((text) => ({ ...text, html: stored[text.kind].get(text.id) ?? null }))
}

/** A file is shown instead of the text of its content. */
function toText({ row, content, file }: RoomItemContent): Omit<RoomText, 'html'>[] {
  if (row.body) return [{ itemId: row.id, kind: 'room_item', id: row.id, source: row.body }]
  if (!content?.body || file) return []
  return [{ itemId: row.id, kind: 'content_item', id: content.id, source: content.body }]
}

export async function storeRoomTexts(
  tx: TenantTx,
  texts: readonly { kind: TextKind; id: string; source: string; html: string }[],
): Promise<void> {
  const textsOf = (kind: TextKind) => texts.filter((text) => text.kind === kind)
  await updateStoredBodies(tx, textsOf('content_item'))
  for (const kind of ['room', 'room_item'] as const) await updateStoredHtml(tx, kind, textsOf(kind))
}

import type { ContentRow, PresentedRow } from '#modules/library'
import { listVersionsByNumber, resolveContent, type VersionRow } from '#modules/library'
import type { TenantTx } from '#platform/db'
import { type FileRow, findFiles } from '#platform/files'
import type { RoomItemRow } from './items.queries.ts'
import type { ItemState } from './items.schemas.ts'
import { stateOf } from './room-content.rules.ts'

export type RoomItemContent = {
  row: RoomItemRow
  state: ItemState
  /** The content of the item itself; undefined if it was deleted. */
  added: PresentedRow<ContentRow> | undefined
  /** The content or its replacement, as visitors see it. */
  content: PresentedRow<ContentRow> | undefined
  file: FileRow | undefined
  versionNo: number | null
}

/** Reads what the items show, with replacements of archived content and pinned versions. */
export async function readRoomItemContent(tx: TenantTx, rows: readonly RoomItemRow[]): Promise<RoomItemContent[]> {
  const contentIds = rows.flatMap(({ content_item_id }) => content_item_id ?? [])
  const resolved = await resolveContent(tx, contentIds, null)
  const placed = rows.map((row) => {
    const contentId = row.content_item_id
    const found = contentId === null ? undefined : resolved.get(contentId)
    const shown = found?.state === 'visible' ? found.item : undefined
    return { row, added: found?.requested, content: shown, state: stateOf(row, shown, contentId !== null && !found) }
  })
  const versions = await findShownVersions(tx, placed)
  const files = await findFiles(
    tx,
    [...versions.values()].flatMap(({ file_id }) => file_id ?? []),
  )
  return withoutRepetitions(placed).map((item) => {
    const version = versions.get(item.row.id)
    const file = version?.file_id ? files.get(version.file_id) : undefined
    return { ...item, file: file && isReady(file) ? file : undefined, versionNo: version?.version_no ?? null }
  })
}

type Shown = Pick<RoomItemContent, 'row' | 'added' | 'content' | 'state'>
type ShownVersion = Pick<VersionRow, 'version_no' | 'file_id'>

/** A pinned version belongs to the content itself, so it is not used for the replacement. */
async function findShownVersions(tx: TenantTx, items: readonly Shown[]): Promise<Map<string, ShownVersion>> {
  const pinned = items.filter(({ row, state }) => row.pinned_version_no !== null && state === 'ok')
  const found = await listVersionsByNumber(
    tx,
    pinned.map(({ row }) => ({ item_id: row.content_item_id!, version_no: row.pinned_version_no! })),
  )
  const pins = new Map(found.map((version) => [`${version.item_id}:${version.version_no}`, version]))
  return new Map(
    items.flatMap(({ row, content }): [string, ShownVersion][] => {
      if (!content) return []
      const pin = pins.get(`${content.id}:${row.pinned_version_no}`)
      if (pin) return pin.removed_at === null ? [[row.id, pin]] : []
      return content.version_no === null ? [] : [[row.id, { version_no: content.version_no, file_id: content.file_id }]]
    }),
  )
}

/** A replacement that is also in the room itself is shown once. */
function withoutRepetitions(items: readonly Shown[]): Shown[] {
  const own = new Set(items.filter(({ state }) => state === 'ok').map(({ content }) => content?.id))
  return items.map((item) =>
    item.state === 'replaced' && own.has(item.content?.id)
      ? { ...item, content: undefined, state: 'hidden_archived' }
      : item,
  )
}

const isReady = ({ scan_status }: FileRow) => scan_status === 'clean' || scan_status === 'skipped'

export const isShown = ({ row, state }: Pick<Shown, 'row' | 'state'>): boolean =>
  row.is_visible && (state === 'ok' || state === 'replaced')

import { canSee, listVisibleItems, readViewer } from '#modules/library'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { insertRoomItems, listRoomItemRows } from '../items/items.queries.ts'
import { readRoomItemContent } from '../items/room-content.service.ts'
import { insertSteps, listStepRows } from '../plan/plan.queries.ts'
import type { RoomBranding } from '../records/room-fields.schemas.ts'
import { listSections, upsertSections } from '../records/room-parts.queries.ts'
import type { RoomRow } from '../records/rooms.queries.ts'
import { brandingOf, shiftDay } from '../records/rooms.rules.ts'

/** Copies sections, items that visitors and the caller could see, and the plan. Links and visitors belong to the source alone. */
export async function copyRoomParts(tx: TenantTx, actor: UserActor, source: RoomRow, room: RoomRow): Promise<void> {
  const [viewer, sections, items, steps] = await Promise.all([
    readViewer(tx),
    listSections(tx, source.id),
    listRoomItemRows(tx, source.id),
    listStepRows(tx, source.id),
  ])
  const sectionIds = new Map(sections.map(({ id }) => [id, newId()]))
  await upsertSections(
    tx,
    room.id,
    sections.map((section) => ({ ...section, id: sectionIds.get(section.id)! })),
  )
  const shown = (await readRoomItemContent(tx, items)).filter(({ state }) => state === 'ok')
  await insertRoomItems(
    tx,
    room.id,
    shown
      .filter(({ content }) => content === undefined || (content.status === 'published' && canSee(content, viewer)))
      .map(({ row }, position) => ({
        id: newId(),
        section_id: row.section_id && sectionIds.get(row.section_id)!,
        kind: row.kind,
        content_item_id: row.content_item_id,
        pinned_version_no: row.pinned_version_no,
        title: row.title,
        description: row.description,
        url: row.url,
        body: row.body,
        position,
        is_visible: row.is_visible,
        downloads_allowed: row.downloads_allowed,
        added_by: actor.userId,
      })),
  )
  await insertSteps(
    tx,
    room.id,
    steps.map(({ title, description, side, due_on, is_internal, position }) => ({
      id: newId(),
      title,
      description,
      side,
      is_internal,
      position,
      due_on: shiftDay(due_on, source.created_at, room.created_at),
    })),
  )
}

export async function copyBranding(tx: TenantTx, source: RoomRow): Promise<RoomBranding> {
  const branding = brandingOf(source.branding)
  const ids = [branding.logo_item_id, branding.cover_item_id].filter((id) => id !== null)
  if (!ids.length) return branding
  const visible = (await listVisibleItems(tx, ids)).map(({ id }) => id)
  const keepVisible = (id: string | null) => (id !== null && visible.includes(id) ? id : null)
  return {
    ...branding,
    logo_item_id: keepVisible(branding.logo_item_id),
    cover_item_id: keepVisible(branding.cover_item_id),
  }
}

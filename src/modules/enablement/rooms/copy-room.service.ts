import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { readPlacedContent } from '../room-items/room-content.service.ts'
import { insertRoomItems, listRoomItemRows } from '../room-items/room-items.queries.ts'
import { insertSteps, listStepRows } from '../room-plan/room-plan.queries.ts'
import { listSections, upsertSections } from './room-parts.queries.ts'
import type { RoomRow } from './rooms.queries.ts'
import { shiftDay } from './rooms.rules.ts'

/** Copies sections, items that visitors could see, and the plan. Links and visitors belong to the source alone. */
export async function copyRoomParts(tx: TenantTx, actor: UserActor, source: RoomRow, room: RoomRow): Promise<void> {
  const [sections, items, steps] = await Promise.all([
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
  const shown = (await readPlacedContent(tx, items)).filter(({ state }) => state === 'ok')
  await insertRoomItems(
    tx,
    room.id,
    shown
      .filter(({ content }) => content === undefined || content.status === 'published')
      .map(({ row }, position) => ({
        ...{ id: newId(), section_id: row.section_id && sectionIds.get(row.section_id)!, kind: row.kind },
        ...{ content_item_id: row.content_item_id, pinned_version_no: row.pinned_version_no, title: row.title },
        ...{ description: row.description, url: row.url, body: row.body, position, is_visible: row.is_visible },
        ...{ downloads_allowed: row.downloads_allowed, added_by: actor.userId },
      })),
  )
  await insertSteps(
    tx,
    room.id,
    steps.map(({ title, description, side, due_on, is_internal, position }) => ({
      ...{ id: newId(), title, description, side, is_internal, position },
      due_on: shiftDay(due_on, source.created_at, room.created_at),
    })),
  )
}

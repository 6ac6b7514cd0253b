import { subscribe } from '#platform/outbox'
import { resolveContent } from '../content/resolve-content.service.ts'
import { findContentTitle } from '../content-facts/content-facts.queries.ts'
import { contentArchived, contentDeleted } from '../library.events.ts'
import { notifyHiddenContent } from '../room-alerts/room-notices.service.ts'
import { listActiveRoomsWithContent } from './room-items.queries.ts'

/** Tells owners of active rooms that visitors no longer see an item. Content with a replacement stays visible. */
export const onContentHidden = subscribe(
  [contentArchived, contentDeleted],
  'enablement.notify_room_owners',
  async (tx, { subject: { id } }) => {
    if ((await resolveContent(tx, [id], null)).get(id)?.state === 'visible') return
    const title = await findContentTitle(tx, id)
    if (title === undefined) return
    for (const room of await listActiveRoomsWithContent(tx, id)) await notifyHiddenContent(tx, room, title)
  },
)

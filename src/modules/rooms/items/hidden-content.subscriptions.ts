import { contentArchived, contentDeleted } from '#events/library'
import { findContentTitle, resolveContent } from '#modules/library'
import { subscribe } from '#platform/outbox'
import { notifyHiddenContent } from '../alerts/alerts.service.ts'
import { listActiveRoomsWithContent } from './items.queries.ts'

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

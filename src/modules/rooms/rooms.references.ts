import type { MergeReference } from '#platform/module'

/** In the global lock order. */
export const roomReferences: MergeReference[] = [
  { column: 'enablement.rooms.account_id', to: 'account', followsMerge: true },
  { column: 'enablement.rooms.primary_contact_id', to: 'contact', followsMerge: true },
  { column: 'enablement.room_links.recipient_contact_id', to: 'contact', followsMerge: true },
  { column: 'enablement.room_visitors.contact_id', to: 'contact', followsMerge: true },
  // A table of the library, named here because its rows are locked after those of rooms.
  { column: 'enablement.content_views.account_id', to: 'account', followsMerge: true },
]

import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const Fields = Type.Array(Type.String())
const Text = Type.String()
const RoomItem = strict({ item_id: Id, kind: Text, content_item_id: nullable(Id) })
const RoomLink = strict({ link_id: Id })
const ItemView = strict({ item_id: Id, visit_id: Id, view_id: Id })

export const roomCreated = defineEvent('room.created', {
  resource: 'rooms',
  description: 'A room was created',
  data: strict({ room_type: Text, owner_id: Id }),
})
export const roomUpdated = defineEvent('room.updated', {
  resource: 'rooms',
  description: 'A room was updated',
  data: strict({ changed: Fields }),
})
export const roomActivated = defineEvent('room.activated', {
  resource: 'rooms',
  description: 'A room was opened to visitors',
  data: strict({}),
})
export const roomClosed = defineEvent('room.closed', {
  resource: 'rooms',
  description: 'A room was closed to visitors',
  data: strict({}),
})
export const roomReopened = defineEvent('room.reopened', {
  resource: 'rooms',
  description: 'A closed room was opened again',
  data: strict({}),
})
export const roomArchived = defineEvent('room.archived', {
  resource: 'rooms',
  description: 'A room was archived',
  data: strict({}),
})
export const roomRestored = defineEvent('room.restored', {
  resource: 'rooms',
  description: 'An archived room was restored',
  data: strict({}),
})
export const roomDeleted = defineEvent('room.deleted', {
  resource: 'rooms',
  description: 'A room was deleted',
  data: strict({}),
})
export const roomLinkCreated = defineEvent('room.link_created', {
  resource: 'rooms',
  description: 'A link to a room was created',
  data: RoomLink,
})
export const roomLinkUpdated = defineEvent('room.link_updated', {
  resource: 'rooms',
  description: 'A link to a room was updated',
  data: strict({ link_id: Id, changed: Fields }),
})
export const roomLinkRevoked = defineEvent('room.link_revoked', {
  resource: 'rooms',
  description: 'A link to a room was revoked',
  data: RoomLink,
})
export const roomLinkSent = defineEvent('room.link_sent', {
  resource: 'rooms',
  description: 'A link to a room was sent by email',
  data: strict({ link_id: Id, contact_id: Id }),
})
export const roomPlanStepChanged = defineEvent('room.plan_step_changed', {
  resource: 'rooms',
  description: 'A step of the plan of a room changed',
  data: strict({ step_id: Id, action: Text, status: Text }),
})
export const roomItemAdded = defineEvent('room.item_added', {
  resource: 'rooms',
  description: 'An item was added to a room',
  data: RoomItem,
})
export const roomItemUpdated = defineEvent('room.item_updated', {
  resource: 'rooms',
  description: 'An item of a room was updated',
  data: RoomItem,
})
export const roomItemRemoved = defineEvent('room.item_removed', {
  resource: 'rooms',
  description: 'An item was removed from a room',
  data: RoomItem,
})
export const roomVisited = defineEvent('room.visited', {
  resource: 'rooms',
  description: 'A visitor spent time in a room',
  data: strict({ visit_id: Id, visitor_id: Id, link_id: Id }),
})
export const roomItemViewed = defineEvent('room.item_viewed', {
  resource: 'rooms',
  description: 'A visitor opened an item of a room',
  data: ItemView,
})
export const roomDownloaded = defineEvent('room.downloaded', {
  resource: 'rooms',
  description: 'A visitor downloaded an item of a room',
  data: ItemView,
})
export const roomVisitorIdentified = defineEvent('room.visitor_identified', {
  resource: 'rooms',
  description: 'A visitor of a room entered an email address',
  data: strict({ visitor_id: Id, contact_id: nullable(Id) }),
})
export const roomEngagementChanged = defineEvent('room.engagement_changed', {
  resource: 'rooms',
  description: 'The engagement of a room changed to another band',
  data: strict({ score: nullable(Type.Integer()), from: Text, to: Text }),
})

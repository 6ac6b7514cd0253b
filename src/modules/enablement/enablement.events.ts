import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const Fields = Type.Array(Type.String())
const Text = Type.String()
const RoomItem = strict({ item_id: Id, kind: Text, content_item_id: nullable(Id) })
const RoomLink = strict({ link_id: Id })
const ItemView = strict({ item_id: Id, visit_id: Id, view_id: Id })

export const contentCreated = defineEvent('content.created', {
  resource: 'content',
  description: 'A content item was created',
  data: strict({ type: Text, owner_id: nullable(Id) }),
})
export const contentUpdated = defineEvent('content.updated', {
  resource: 'content',
  description: 'A content item was updated',
  data: strict({ changed: Fields }),
})
export const contentPublished = defineEvent('content.published', {
  resource: 'content',
  description: 'A content item was published',
  data: strict({}),
})
export const contentUnpublished = defineEvent('content.unpublished', {
  resource: 'content',
  description: 'A published content item became a draft',
  data: strict({}),
})
export const contentArchived = defineEvent('content.archived', {
  resource: 'content',
  description: 'A content item was archived',
  data: strict({ reason: Text, superseded_by_id: nullable(Id) }),
})
export const contentRestored = defineEvent('content.restored', {
  resource: 'content',
  description: 'An archived content item became a draft',
  data: strict({}),
})
export const contentReviewed = defineEvent('content.reviewed', {
  resource: 'content',
  description: 'A content item was reviewed',
  data: strict({ outcome: Text }),
})
export const contentVersionAdded = defineEvent('content.version_added', {
  resource: 'content',
  description: 'A file was uploaded to a content item',
  data: strict({ version_no: Type.Integer(), is_current: Type.Boolean() }),
})
export const contentFileRemoved = defineEvent('content.file_removed', {
  resource: 'content',
  description: 'The file of a content item was removed',
  data: strict({ version_no: Type.Integer() }),
})
export const contentDeleted = defineEvent('content.deleted', {
  resource: 'content',
  description: 'A content item was deleted',
  data: strict({}),
})
export const collectionCreated = defineEvent('collection.created', {
  resource: 'collections',
  description: 'A collection was created',
  data: strict({ name: Text }),
})
export const collectionUpdated = defineEvent('collection.updated', {
  resource: 'collections',
  description: 'A collection was updated',
  data: strict({ changed: Fields }),
})
export const collectionDeleted = defineEvent('collection.deleted', {
  resource: 'collections',
  description: 'A collection was deleted',
  data: strict({}),
})
export const collectionItemsChanged = defineEvent('collection.items_changed', {
  resource: 'collections',
  description: 'Items of a collection were added, removed or reordered',
  data: strict({ added: Type.Array(Id), removed: Type.Array(Id), is_reordered: Type.Boolean() }),
})

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

export const personaCreated = defineEvent('coaching_persona.created', {
  resource: 'coaching',
  description: 'A persona was created',
  data: strict({ name: Text }),
})
export const personaUpdated = defineEvent('coaching_persona.updated', {
  resource: 'coaching',
  description: 'A persona was updated',
  data: strict({ changed: Fields }),
})
export const personaDeleted = defineEvent('coaching_persona.deleted', {
  resource: 'coaching',
  description: 'A persona was deleted',
  data: strict({}),
})

export const scenarioCreated = defineEvent('coaching_scenario.created', {
  resource: 'coaching',
  description: 'A coaching scenario was created',
  data: strict({ title: Text }),
})
export const scenarioUpdated = defineEvent('coaching_scenario.updated', {
  resource: 'coaching',
  description: 'A coaching scenario was updated',
  data: strict({ changed: Fields }),
})
export const scenarioPublished = defineEvent('coaching_scenario.published', {
  resource: 'coaching',
  description: 'A coaching scenario was published',
  data: strict({}),
})
export const scenarioArchived = defineEvent('coaching_scenario.archived', {
  resource: 'coaching',
  description: 'A coaching scenario was archived',
  data: strict({}),
})
export const scenarioDeleted = defineEvent('coaching_scenario.deleted', {
  resource: 'coaching',
  description: 'A coaching scenario was deleted',
  data: strict({}),
})

export const coachingSessionScheduled = defineEvent('coaching_session.scheduled', {
  resource: 'coaching',
  isPersonal: true,
  description: 'A coaching session was scheduled',
  data: strict({ rep_id: Id, coach_id: Id, scenario_id: Id }),
})
export const coachingSessionUpdated = defineEvent('coaching_session.updated', {
  resource: 'coaching',
  isPersonal: true,
  description: 'A coaching session was updated',
  data: strict({ changed: Fields }),
})
export const coachingSessionCompleted = defineEvent('coaching_session.completed', {
  resource: 'coaching',
  isPersonal: true,
  description: 'A coaching session was completed',
  data: strict({ rep_id: Id, coach_id: nullable(Id), score: nullable(Type.Integer()) }),
})
export const coachingSessionCancelled = defineEvent('coaching_session.cancelled', {
  resource: 'coaching',
  isPersonal: true,
  description: 'A coaching session was cancelled or missed',
  data: strict({ rep_id: Id, coach_id: nullable(Id), reason: Text }),
})
export const roleplayStarted = defineEvent('coaching_session.started', {
  resource: 'coaching',
  isPersonal: true,
  description: 'A roleplay was started',
  data: strict({ rep_id: Id, scenario_id: nullable(Id) }),
})
export const roleplayFinished = defineEvent('coaching_session.finished', {
  resource: 'coaching',
  isPersonal: true,
  description: 'A roleplay was finished and scored',
  data: strict({
    rep_id: Id,
    scenario_id: nullable(Id),
    score: nullable(Type.Integer()),
    passed: nullable(Type.Boolean()),
    is_automatic: Type.Boolean(),
  }),
})
export const roleplayAbandoned = defineEvent('coaching_session.abandoned', {
  resource: 'coaching',
  isPersonal: true,
  description: 'A roleplay ended after a day without a message',
  data: strict({ rep_id: Id }),
})

export * from './events/experts.events.ts'
export * from './events/learning.events.ts'
export * from './events/pitch.events.ts'
export * from './events/readiness.events.ts'

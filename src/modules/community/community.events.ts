import { Type } from 'typebox'
import { defineEvent } from '#platform/outbox'
import { Id, nullable, strict } from '#platform/schema'

const Text = Type.String()
const resource = 'community' as const
const thread = { room_id: Id }
/** The subject of an event about a reply is its thread. */
const reply = { ...thread, reply_id: Id, reply_no: Type.Integer() }

export const threadCreated = defineEvent('community.thread_created', {
  resource,
  description: 'A thread was created in a community room',
  data: strict({ ...thread, kind: Text, author_id: Id }),
})
export const threadUpdated = defineEvent('community.thread_updated', {
  resource,
  description: 'A thread was updated or moved to another room',
  data: strict({ ...thread, changed: Type.Array(Text) }),
})
export const threadLocked = defineEvent('community.thread_locked', {
  resource,
  description: 'A thread was closed to replies',
  data: strict(thread),
})
export const threadUnlocked = defineEvent('community.thread_unlocked', {
  resource,
  description: 'A thread was opened to replies',
  data: strict(thread),
})
export const threadPinned = defineEvent('community.thread_pinned', {
  resource,
  description: 'A thread was pinned in its room',
  data: strict(thread),
})
export const threadUnpinned = defineEvent('community.thread_unpinned', {
  resource,
  description: 'A thread was unpinned in its room',
  data: strict(thread),
})
export const threadHidden = defineEvent('community.thread_hidden', {
  resource,
  description: 'A thread was hidden',
  data: strict({ ...thread, reason: nullable(Text) }),
})
export const threadShown = defineEvent('community.thread_shown', {
  resource,
  description: 'A hidden thread became visible',
  data: strict(thread),
})
export const threadDeleted = defineEvent('community.thread_deleted', {
  resource,
  description: 'A thread was deleted',
  data: strict(thread),
})
export const threadRestored = defineEvent('community.thread_restored', {
  resource,
  description: 'A deleted thread was restored',
  data: strict(thread),
})
export const answerAccepted = defineEvent('community.answer_accepted', {
  resource,
  description: 'The accepted answer of a question changed',
  data: strict({ ...thread, reply_id: nullable(Id) }),
})
export const replyCreated = defineEvent('community.reply_created', {
  resource,
  description: 'A reply to a thread was created',
  data: strict({ ...reply, author_id: Id }),
})
export const replyUpdated = defineEvent('community.reply_updated', {
  resource,
  description: 'A reply to a thread was updated',
  data: strict({ ...reply, changed: Type.Array(Text) }),
})
export const replyHidden = defineEvent('community.reply_hidden', {
  resource,
  description: 'A reply to a thread was hidden',
  data: strict({ ...reply, reason: nullable(Text) }),
})
export const replyShown = defineEvent('community.reply_shown', {
  resource,
  description: 'A hidden reply to a thread became visible',
  data: strict(reply),
})
export const replyDeleted = defineEvent('community.reply_deleted', {
  resource,
  description: 'A reply to a thread was deleted',
  data: strict(reply),
})
export const replyRestored = defineEvent('community.reply_restored', {
  resource,
  description: 'A deleted reply to a thread was restored',
  data: strict(reply),
})
export const threadReported = defineEvent('community.thread_reported', {
  resource,
  description: 'A user reported a thread, or a reply to it',
  data: strict({ ...thread, reply_id: nullable(Id), reason: Text }),
})
export const reportResolved = defineEvent('community.report_resolved', {
  resource,
  description: 'A moderator resolved the reports of a thread, or of a reply to it',
  data: strict({ ...thread, reply_id: nullable(Id), resolution: Text }),
})
export const userSuspended = defineEvent('community.user_suspended', {
  resource,
  description: 'A moderator suspended a user in community rooms',
  isPersonal: true,
  data: strict({ ends_at: nullable(Text) }),
})
export const suspensionEnded = defineEvent('community.suspension_ended', {
  resource,
  description: 'A moderator ended the suspension of a user in community rooms',
  isPersonal: true,
  data: strict({}),
})
export const roomVisibilityChanged = defineEvent('community.room_visibility_changed', {
  resource,
  description: 'The threads of a room were made public or private',
  data: strict({ public_read: Type.Boolean() }),
})

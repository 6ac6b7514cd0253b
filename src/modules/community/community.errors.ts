import type { ErrorCatalogue } from '#platform/errors'

export const communityErrors: ErrorCatalogue = {
  room_not_active: {
    status: 409,
    title: 'Inactive room',
    description:
      'Threads and replies can only be written in an active room, and in a draft by its moderators. Moderators can still hide, delete, restore, lock and move them.',
    remedy: 'Ask the owner of the room to activate it.',
  },
  community_suspended: {
    status: 403,
    title: 'Suspended user',
    description:
      'A moderator suspended you: you can read community rooms, but not write in them. `suspension_reason` says why, `suspension_ends_at` until when.',
    remedy: 'Wait for the end, or ask a manager or an admin to end the suspension.',
  },
  duplicate_post: {
    status: 409,
    title: 'Thread created twice',
    description: 'You created a thread with the same text in this room within ten minutes. `existing_id` has its id.',
    remedy: 'Use the existing thread, or change the text.',
  },
  thread_locked: {
    status: 409,
    title: 'Locked thread',
    description: 'Only moderators of the room can reply to a locked thread.',
    remedy: 'Create another thread, or ask a moderator to unlock this one.',
  },
  has_replies: {
    status: 409,
    title: 'Thread with replies',
    description: 'Authors cannot delete a thread that has replies of other users.',
    remedy: 'Ask a moderator of the room to delete the thread.',
  },
  pin_limit: {
    status: 409,
    title: 'Too many pinned threads',
    description: 'A room can have at most five pinned threads.',
    remedy: 'Unpin another thread of the room first.',
  },
}

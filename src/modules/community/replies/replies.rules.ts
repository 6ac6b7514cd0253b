import { conflict, invalid, rateLimited } from '#platform/errors'
import type { RoomAccess } from '../rooms/room-access.rules.ts'

export function assertNotLocked({ locked_at }: { locked_at: Date | null }, { isModerator }: RoomAccess): void {
  if (locked_at && !isModerator)
    throw conflict('thread_locked', 'The thread is locked. Only moderators of the room can reply.')
}

export const unknownReply = () =>
  invalid('body', '/reply_to_id', 'unknown_reference', '`reply_to_id` must be a visible reply to this thread.')

export function assertSlowModeOver(lastReplyAt: Date | undefined, now: Date, slowModeSeconds: number): void {
  if (!lastReplyAt) return
  const waitSeconds = slowModeSeconds - (now.getTime() - lastReplyAt.getTime()) / 1_000
  if (waitSeconds > 0)
    throw rateLimited(
      waitSeconds,
      (wait) => `The room accepts one reply of a user in ${slowModeSeconds} seconds. Try again in ${wait}.`,
    )
}

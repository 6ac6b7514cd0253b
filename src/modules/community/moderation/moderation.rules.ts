import type { UserActor } from '#platform/access'
import { invalid, roleRequired } from '#platform/errors'
import type { RoomAccess } from '../rooms/room-access.rules.ts'
import type { ReplyChanges, ThreadChanges } from './moderation.schemas.ts'

type OwnedPost = { author_id: string }

const moderatorFields = ['locked', 'hidden', 'hidden_reason', 'room_id'] as const

export function assertMayUpdate(
  { userId }: UserActor,
  { isModerator }: RoomAccess,
  post: OwnedPost,
  changes: ThreadChanges | ReplyChanges,
): void {
  if (changes.hidden_reason !== undefined && changes.hidden !== true)
    throw invalid('body', '/hidden_reason', 'requires_hidden', '`hidden_reason` requires `hidden: true`.')
  if (isModerator) return
  if (post.author_id !== userId)
    throw roleRequired('Only the author, the owner of the room, managers and admins can change this.')
  const field = moderatorFields.find((name) => name in changes)
  if (field) throw roleRequired(`Only the owner of the room, managers and admins can change \`${field}\`.`)
  if ('kind' in changes && changes.kind === 'announcement')
    throw roleRequired('Only moderators of the room can create announcements.')
}

const textFields = ['title', 'body', 'kind'] as const

/** Whether the request changes only what moderators change, also in closed rooms. */
export const isModeration = (changes: ThreadChanges | ReplyChanges): boolean =>
  !textFields.some((name) => name in changes)

const maxPartLength = 10_000

/** Splits a text into parts that an audit entry stores completely. A mention stays in one part, so that it can be found and erased. */
export function splitFormerText(text: string): string[] {
  const parts: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = endOfPart(text, start)
    parts.push(text.slice(start, end))
    start = end
  }
  return parts
}

const mention = /\[(?:[^[\]\\]|\\.)*\]\(\s*<?mention:[^)]*\)/y

function endOfPart(text: string, start: number): number {
  const end = start + maxPartLength
  if (end >= text.length) return text.length
  mention.lastIndex = text.lastIndexOf('[', end - 1)
  const linkStart = mention.lastIndex
  if (linkStart > start && mention.test(text) && mention.lastIndex > end) return linkStart
  return /[\ud800-\udbff]/.test(text[end - 1]!) ? end - 1 : end
}

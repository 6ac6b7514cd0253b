import type { UserCard } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { canReadRoom, isModeratorOf, type RoomAccess } from '../rooms/room-access.rules.ts'
import { countNotifiableUsers, countNotifiedUsers, type Post, replaceMentions } from './mentions.queries.ts'
import { notifyMentioned } from './post-notifications.ts'

/** Edits of a post notify further users up to this number. */
const maxNotifiedUsers = 20

/** Mentions in a hidden post are stored without a notification. */
type MentioningPost = Post & {
  title: string
  authorId: string
  access: RoomAccess
  isNew?: boolean
  isHidden?: boolean
}

/** Stores the mentions of a post and notifies users who are new in it. Returns the ids of the notified users. */
export async function saveMentions(
  tx: TenantTx,
  { title, authorId, access, isNew = false, isHidden = false, ...post }: MentioningPost,
  mentioned: readonly UserCard[],
  now: Date,
): Promise<string[]> {
  if (isNew && !mentioned.length) return []
  const { room } = access
  const canRead = ({ id, role }: UserCard) =>
    canReadRoom({ room, isModerator: isModeratorOf({ userId: id, role }, room) })
  const notifiedIds = mentioned.filter((user) => user.id !== authorId && !isHidden && canRead(user)).map(({ id }) => id)
  const newIds = await replaceMentions(tx, post, { userIds: mentioned.map(({ id }) => id), notifiedIds, now })
  const reachable = notifiedIds.filter((id) => newIds.includes(id))
  const recipients = reachable.slice(0, reachable.length && (await countNotifiableUsers(tx, post, maxNotifiedUsers)))
  for (const userId of recipients) await notifyMentioned(tx, userId, { ...post, title })
  if (recipients.length) await countNotifiedUsers(tx, post, recipients.length)
  return recipients
}

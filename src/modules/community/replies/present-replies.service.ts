import { findUserCards, type UserCard } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { nameMentions } from '#platform/markdown'
import { listMentionedIds } from '../posts/mentions.queries.ts'
import { memberName } from '../posts/post-text.rules.ts'
import type { RoomAccess } from '../rooms/room-access.rules.ts'
import { isSuspended } from '../suspensions/suspensions.service.ts'
import { type PermissionHolder, permissionsOf } from '../threads/threads.rules.ts'
import type { ReplyRow } from './replies.queries.ts'
import type { Reply } from './replies.schemas.ts'

type ShownThread = { accepted_reply_id: string | null; access: RoomAccess }
type ReplyContext = ShownThread & {
  holder: PermissionHolder
  users: ReadonlyMap<string, UserCard>
  mentionedIds: ReadonlyMap<string, readonly string[]>
}

export async function presentReplies(
  tx: TenantTx,
  holder: PermissionHolder,
  rows: readonly ReplyRow[],
  thread: ShownThread,
): Promise<Reply[]> {
  const mentionedIds = await listMentionedIds(
    tx,
    rows.map(({ id }) => id),
  )
  const userIds = [...rows.map(({ author_id }) => author_id), ...[...mentionedIds.values()].flat()]
  const [users, isHolderSuspended] = await Promise.all([findUserCards(tx, userIds), isSuspended(tx, holder)])
  const context = { ...thread, holder: isHolderSuspended ? null : holder, users, mentionedIds }
  return rows.map((row) => toReply(row, context))
}

export function toReply(row: ReplyRow, context: ReplyContext): Reply {
  const { accepted_reply_id, access, holder, users, mentionedIds } = context
  const nameOf = (id: string) => memberName(users.get(id))
  return {
    ...row,
    body_html: nameMentions(row.body_html, nameOf, { isLinked: true }),
    author: { id: row.author_id, name: nameOf(row.author_id) },
    mentions: (mentionedIds.get(row.id) ?? []).map((user_id) => ({ user_id, name: nameOf(user_id) })),
    is_accepted: row.id === accepted_reply_id,
    is_hidden: row.hidden_at !== null,
    can: permissionsOf(holder, access, row),
  }
}

import { findUserCards } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { nameMentions } from '#platform/markdown'
import { memberName } from '../posts/author-names.rules.ts'
import { listMentionedIds } from '../posts/mentions.queries.ts'
import type { RoomAccess } from '../rooms/room-access.rules.ts'
import { type PermissionHolder, permissionsOf } from '../threads/threads.rules.ts'
import type { ReplyRow } from './replies.queries.ts'
import type { Reply } from './replies.schemas.ts'

type ShownThread = { accepted_reply_id: string | null; access: RoomAccess }

export async function presentReplies(
  tx: TenantTx,
  holder: PermissionHolder,
  rows: readonly ReplyRow[],
  { accepted_reply_id, access }: ShownThread,
): Promise<Reply[]> {
  const mentionedIds = await listMentionedIds(
    tx,
    rows.map(({ id }) => id),
  )
  const users = await findUserCards(tx, [
    ...rows.map(({ author_id }) => author_id),
    ...[...mentionedIds.values()].flat(),
  ])
  const nameOf = (id: string) => memberName(users.get(id))
  return rows.map((row) => ({
    ...row,
    body_html: nameMentions(row.body_html, nameOf, { isLinked: true }),
    author: { id: row.author_id, name: nameOf(row.author_id) },
    mentions: (mentionedIds.get(row.id) ?? []).map((user_id) => ({ user_id, name: nameOf(user_id) })),
    is_accepted: row.id === accepted_reply_id,
    is_hidden: row.hidden_at !== null,
    can: permissionsOf(holder, access, row),
  }))
}

import { findUserCards } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { nameMentions } from '#platform/markdown'
import { listMentionedIds } from '../posts/mentions.queries.ts'
import { memberName } from '../posts/post-text.rules.ts'
import { listReaderRows } from '../readers/thread-readers.queries.ts'
import { readingStateOf } from '../readers/thread-readers.rules.ts'
import type { RoomAccess } from '../rooms/room-access.rules.ts'
import { isSuspended } from '../suspensions/suspensions.service.ts'
import { listThreadsWithRepliesOfOthers, type ThreadRow, type ThreadSummaryRow } from './threads.queries.ts'
import { type PermissionHolder, permissionsOf } from './threads.rules.ts'
import type { Thread, ThreadSummary } from './threads.schemas.ts'

type AccessOf = (thread: ThreadSummaryRow) => RoomAccess

export async function presentSummaries(
  tx: TenantTx,
  holder: PermissionHolder,
  rows: readonly ThreadSummaryRow[],
  accessOf: AccessOf,
): Promise<ThreadSummary[]> {
  const own = rows.filter(
    (row) => row.author_id === holder?.userId && row.reply_count > 0 && !accessOf(row).isModerator,
  )
  const ids = rows.map(({ id }) => id)
  const [users, withReplies, readers, isHolderSuspended] = await Promise.all([
    findUserCards(
      tx,
      rows.map(({ author_id }) => author_id),
    ),
    holder && own.length
      ? listThreadsWithRepliesOfOthers(
          tx,
          own.map(({ id }) => id),
          holder.userId,
        )
      : new Set<string>(),
    holder && ids.length ? listReaderRows(tx, holder.userId, ids) : [],
    isSuspended(tx, holder),
  ])
  const readerById = new Map(readers.map((reader) => [reader.thread_id, reader]))
  return rows.map((row) => {
    const { locked_at, hidden_at, kind } = row
    return {
      ...row,
      kind: kind as ThreadSummary['kind'],
      author: { id: row.author_id, name: memberName(users.get(row.author_id)) },
      is_locked: locked_at !== null,
      is_hidden: hidden_at !== null,
      ...readingStateOf(holder, row, readerById.get(row.id)),
      can: permissionsOf(isHolderSuspended ? null : holder, accessOf(row), row, {
        hasRepliesOfOthers: withReplies.has(row.id),
      }),
    }
  })
}

export async function presentThreads(
  tx: TenantTx,
  holder: PermissionHolder,
  rows: readonly ThreadRow[],
  accessOf: AccessOf,
): Promise<Thread[]> {
  const mentionedIds = await listMentionedIds(
    tx,
    rows.map(({ id }) => id),
  )
  const [summaries, users] = await Promise.all([
    presentSummaries(tx, holder, rows, accessOf),
    findUserCards(tx, [...mentionedIds.values()].flat()),
  ])
  const nameOf = (id: string) => memberName(users.get(id))
  return summaries.map((summary, index) => ({
    ...summary,
    body: rows[index]!.body,
    body_html: nameMentions(rows[index]!.body_html, nameOf, { isLinked: true }),
    mentions: (mentionedIds.get(summary.id) ?? []).map((user_id) => ({ user_id, name: nameOf(user_id) })),
  }))
}

export async function presentThread(
  tx: TenantTx,
  holder: PermissionHolder,
  row: ThreadRow,
  access: RoomAccess,
): Promise<Thread> {
  return (await presentThreads(tx, holder, [row], () => access))[0]!
}

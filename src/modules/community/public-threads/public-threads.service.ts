import { findUserCards, type UserCard } from '#modules/identity'
import { findRoomSummary, type RoomSummary } from '#modules/rooms'
import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { nameMentions } from '#platform/markdown'
import { listMentionedIds } from '../posts/mentions.queries.ts'
import { publicName } from '../posts/post-text.rules.ts'
import { listReplyRows } from '../replies/replies.queries.ts'
import { isPublicRoom, type RoomSettings } from '../rooms/room-access.rules.ts'
import { readRoomSettings } from '../rooms/room-access.service.ts'
import { listThreadRows } from '../threads/list-threads.queries.ts'
import { findRoomIdOfThread, getThreadRow, type ThreadSummaryRow } from '../threads/threads.queries.ts'
import type {
  PublicPageQuery,
  PublicThreadDetails,
  PublicThreadPage,
  PublicThreadSummary,
} from './public-threads.schemas.ts'

const viewer = { userId: null, moderates: false }
const shown = { includesHidden: false, includesDeleted: false }

export async function listPublicThreads(
  tx: TenantTx,
  roomId: string,
  { limit, offset }: PublicPageQuery,
): Promise<PublicThreadPage> {
  const found = await findPublicRoom(tx, roomId)
  if (!found) throw notFound('room')
  const { room, settings } = found
  const access = { viewer, shown, unreadableRoomIds: [] }
  const { items, ...page } = await listThreadRows(tx, { room_id: roomId }, access, { limit, offset })
  const users = await findUserCards(
    tx,
    items.map(({ author_id }) => author_id),
  )
  return {
    ...page,
    // Cursors are not offered to callers without an account.
    next_cursor: null,
    items: items.map((row) => toPublicSummary(row, users, settings)),
    room: { name: room.public_title ?? room.name },
  }
}

export async function getPublicThread(
  tx: TenantTx,
  threadId: string,
  { limit, offset }: PublicPageQuery,
): Promise<PublicThreadDetails> {
  const roomId = await findRoomIdOfThread(tx, threadId)
  const found = roomId && (await findPublicRoom(tx, roomId))
  if (!found) throw notFound('thread')
  const { settings } = found
  const thread = await getThreadRow(tx, { id: threadId, roomId, viewer, shown })
  const replies = await listReplyRows(tx, { threadId, viewer, shown }, { limit, offset, count: 'none' })
  const posts = [thread, ...replies.items]
  const mentionedIds = await listMentionedIds(
    tx,
    posts.map(({ id }) => id),
  )
  const users = await findUserCards(tx, [
    ...posts.map(({ author_id }) => author_id),
    ...[...mentionedIds.values()].flat(),
  ])
  const mentionNames = settings.public_author_names === 'hidden' ? 'hidden' : 'first'
  const toHtml = (html: string) =>
    nameMentions(html, (id) => publicName(users.get(id), mentionNames), { isLinked: false })
  return {
    thread: { ...toPublicSummary(thread, users, settings), body_html: toHtml(thread.body_html) },
    replies: {
      items: replies.items.map(({ id, reply_no, body_html, author_id, created_at }) => ({
        reply_no,
        created_at,
        body_html: toHtml(body_html),
        author_name: publicName(users.get(author_id), settings.public_author_names),
        is_accepted: id === thread.accepted_reply_id,
      })),
      total: thread.reply_count,
      limit,
      offset,
    },
  }
}

type PublicRoom = { room: RoomSummary; settings: RoomSettings }

async function findPublicRoom(tx: TenantTx, roomId: string): Promise<PublicRoom | undefined> {
  const [room, settings] = await Promise.all([findRoomSummary(tx, roomId), readRoomSettings(tx, roomId)])
  return room && isPublicRoom(room, settings) ? { room, settings } : undefined
}

function toPublicSummary(
  row: ThreadSummaryRow,
  users: ReadonlyMap<string, UserCard>,
  { public_author_names }: RoomSettings,
): PublicThreadSummary {
  const { id, kind, title, is_pinned, locked_at, reply_count, created_at, last_activity_at } = row
  return {
    id,
    title,
    is_pinned,
    reply_count,
    created_at,
    last_activity_at,
    kind: kind as PublicThreadSummary['kind'],
    is_locked: locked_at !== null,
    author_name: publicName(users.get(row.author_id), public_author_names),
  }
}

import { type Expression, type SqlBool, sql } from 'kysely'

type Condition = Expression<SqlBool>

export type PostTable = 'community.threads' | 'community.replies'

/** `moderates` is whether the viewer moderates the room: of all rows, or a condition on each row. */
export type PostViewer = { userId: string | null; moderates: boolean | Condition }

export type ShownPosts = { includesHidden: boolean; includesDeleted: boolean }

/** Threads and replies that every reader of the room sees. The partial indexes of lists have the same condition. */
export function isVisible(table: PostTable): Condition {
  const column = columnsOf(table)
  return sql`${column('hidden_at')} is null and ${column('deleted_at')} is null`
}

/** Hidden posts for their authors and moderators, and deleted ones, until they are purged, for moderators. */
export function isHiddenButVisibleTo(
  table: PostTable,
  { userId, moderates }: PostViewer,
  shown: ShownPosts,
): Condition {
  const column = columnsOf(table)
  const isModerator = typeof moderates === 'boolean' ? sql.lit(moderates) : moderates
  const isAuthor = sql`${column('author_id')} = ${userId}::uuid`
  const isHidden = sql`${column('deleted_at')} is null and ${column('hidden_at')} is not null and (${isAuthor} or ${isModerator})`
  const isDeleted = sql`${column('deleted_at')} is not null and ${column('purged_at')} is null and ${isModerator}`
  return sql`(${column('hidden_at')} is not null or ${column('deleted_at')} is not null) and (
    (${sql.lit(shown.includesHidden)} and ${isHidden}) or (${sql.lit(shown.includesDeleted)} and ${isDeleted}))`
}

/** The condition of every read of one thread or reply. */
export const isShownTo = (table: PostTable, viewer: PostViewer, shown: ShownPosts): Condition =>
  sql`((${isVisible(table)}) or (${isHiddenButVisibleTo(table, viewer, shown)}))`

export const isRowOfRooms = (table: 'community.threads', roomIds: readonly string[]): Condition =>
  sql`${columnsOf(table)('room_id')} = any (${roomIds}::uuid[])`

const columnsOf = (table: PostTable) => (name: string) => sql.ref(`${table}.${name}`)

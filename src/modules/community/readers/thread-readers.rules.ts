import type { UserActor } from '#platform/access'
import type { ThreadReaderRow } from './thread-readers.queries.ts'

export type ReadingState = { is_following: boolean; is_unread: boolean; unread_count: number }

const nothingToRead: ReadingState = { is_following: false, is_unread: false, unread_count: 0 }

type Reader = Pick<UserActor, 'userId' | 'role'> | null

/** Viewers cannot mark threads as read, so nothing is unread for them. */
export function readingStateOf(
  reader: Reader,
  { author_id }: { author_id: string },
  row: ThreadReaderRow | undefined,
): ReadingState {
  if (!reader || !row) return nothingToRead
  const isAuthor = author_id === reader.userId
  const is_following = row.is_following ?? isAuthor
  if (reader.role === 'viewer') return { ...nothingToRead, is_following }
  const isNew = row.last_read_no === null && !isAuthor
  return { is_following, is_unread: isNew || row.unread > 0, unread_count: row.unread }
}

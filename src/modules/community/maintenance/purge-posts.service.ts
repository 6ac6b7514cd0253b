import type { TenantTx } from '#platform/db'
import { deleteReadersOfThreads } from '../readers/thread-readers.queries.ts'
import {
  blankReplies,
  blankThreads,
  deleteReportsOfReplies,
  deleteReportsOfThreads,
  deleteTracesOfPosts,
  listPurgeableReplies,
  listReplyIdsOfThreads,
  lockPurgeableThreads,
} from './purge-posts.queries.ts'
import { lockThreadRows } from './reconcile.queries.ts'
import { recountThreads } from './reconcile.service.ts'

type Purge = { before: Date; now: Date }

/** Empties a batch of deleted threads with their replies and returns their number. The rows stay, because numbers of replies are not used again. */
export async function purgeThreads(tx: TenantTx, { before, now }: Purge): Promise<number> {
  const ids = await lockPurgeableThreads(tx, before)
  if (!ids.length) return 0
  const replyIds = await listReplyIdsOfThreads(tx, ids)
  await blankThreads(tx, ids, now)
  await blankReplies(tx, replyIds, now)
  await deleteTracesOfPosts(tx, [...ids, ...replyIds])
  await deleteReportsOfThreads(tx, ids)
  await deleteReadersOfThreads(tx, ids)
  await recountThreads(tx, ids)
  return ids.length
}

/** Empties a batch of deleted replies and returns their number. */
export async function purgeReplies(tx: TenantTx, { before, now }: Purge): Promise<number> {
  const replies = await listPurgeableReplies(tx, before)
  if (!replies.length) return 0
  await lockThreadRows(tx, [...new Set(replies.map(({ thread_id }) => thread_id))])
  const stillDeleted = await listPurgeableReplies(tx, before)
  const known = new Set(replies.map(({ id }) => id))
  const ids = stillDeleted.map(({ id }) => id).filter((id) => known.has(id))
  await blankReplies(tx, ids, now)
  await deleteTracesOfPosts(tx, ids)
  await deleteReportsOfReplies(tx, ids)
  return replies.length
}

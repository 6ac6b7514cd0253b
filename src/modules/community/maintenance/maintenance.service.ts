import { type TenantTx, tenantIdOf } from '#platform/db'
import { markdownVersion, parseStoredMarkdown } from '#platform/markdown'
import { listMentionedIds } from '../posts/mentions.queries.ts'
import type { PostTable } from '../posts/visibility.queries.ts'
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
import {
  type CounterDrift,
  clearInvisibleAnswers,
  correctCounters,
  listDrift,
  lockThreadRows,
} from './reconcile.queries.ts'
import { listOldPosts, listThreadsWithOldHtml, updateRenderedHtml } from './render-posts.queries.ts'

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

/** Threads without a difference are not locked. */
export async function reconcileThreads(tx: TenantTx, ids: readonly string[]): Promise<CounterDrift[]> {
  const suspects = await listDrift(tx, ids)
  if (!suspects.length) return []
  await lockThreadRows(tx, suspects)
  return await recountThreads(tx, suspects)
}

/** Returns the threads that were wrong. The caller has locked the threads. */
export async function recountThreads(tx: TenantTx, ids: readonly string[]): Promise<CounterDrift[]> {
  const corrected = await correctCounters(tx, ids)
  await clearInvisibleAnswers(tx, ids)
  return corrected
}

export async function renderOldPosts(tx: TenantTx): Promise<number> {
  const threadIds = await listThreadsWithOldHtml(tx, markdownVersion)
  if (!threadIds.length) return 0
  await lockThreadRows(tx, threadIds)
  const threads = await renderBatch(tx, 'community.threads', threadIds)
  return threads + (await renderBatch(tx, 'community.replies', threadIds))
}

async function renderBatch(tx: TenantTx, table: PostTable, threadIds: readonly string[]): Promise<number> {
  const posts = await listOldPosts(tx, table, threadIds, markdownVersion)
  if (!posts.length) return 0
  const mentionedIds = await listMentionedIds(
    tx,
    posts.map(({ id }) => id),
  )
  const rendered: { id: string; html: string }[] = []
  for (const { id, body } of posts) {
    const document = await parseStoredMarkdown(body, { key: tenantIdOf(tx) })
    rendered.push({ id, html: document.toHtml(new Set(mentionedIds.get(id))) })
  }
  await updateRenderedHtml(tx, table, rendered, markdownVersion)
  return posts.length
}

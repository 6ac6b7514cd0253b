import { type TenantTx, tenantIdOf } from '#platform/db'
import { markdownVersion, parseStoredMarkdown } from '#platform/markdown'
import { listMentionedIds } from '../posts/mentions.queries.ts'
import type { PostTable } from '../posts/visibility.queries.ts'
import { lockThreadRows } from './reconcile.queries.ts'
import { listOldPosts, listThreadsWithOldHtml, updateRenderedHtml } from './render-posts.queries.ts'

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

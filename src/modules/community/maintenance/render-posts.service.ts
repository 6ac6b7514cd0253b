import type { TenantTx } from '#platform/db'
import { attempt } from '#platform/errors'
import { escapeHtml } from '#platform/html'
import { markdownVersion, parseMarkdown } from '#platform/markdown'
import { listMentionedIds } from '../posts/mentions.queries.ts'
import type { PostTable } from '../posts/visibility.queries.ts'
import { lockThreadRows } from './reconcile.queries.ts'
import { listOldPosts, listThreadsWithOldHtml, type OldPost, updateRenderedHtml } from './render-posts.queries.ts'

const maxHtmlLength = 50_000

/** Renders posts of a batch of threads and returns the number of posts. */
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
  const rendered = posts.map((post) => ({ id: post.id, html: renderHtml(post, mentionedIds.get(post.id) ?? []) }))
  await updateRenderedHtml(tx, table, rendered, markdownVersion)
  return posts.length
}

/** A text that the current renderer rejects is shown without formatting. */
function renderHtml({ body }: OldPost, mentionedIds: readonly string[]): string {
  const rendered = attempt(() => parseMarkdown(body).toHtml(new Set(mentionedIds)))
  if ('value' in rendered) return rendered.value
  const html = `<p>${escapeHtml(body)}</p>`
  return html.length <= maxHtmlLength ? html : ''
}

import { type TenantTx, tenantIdOf } from '#platform/db'
import { markdownVersion, parseStoredMarkdown } from '#platform/markdown'
import { lockThreadRows } from '../maintenance/reconcile.queries.ts'
import { formerMember } from '../posts/author-names.rules.ts'
import { listMentionedIds } from '../posts/mentions.queries.ts'
import { toExcerpt } from '../posts/post-text.rules.ts'
import { updateReplyRow } from '../replies/replies.queries.ts'
import { updateThreadRow } from '../threads/threads.queries.ts'
import {
  deleteMentionsOfUser,
  listMentionsOfUser,
  listPostBodies,
  type MentionRow,
} from './community-erasure.queries.ts'
import { replaceMentionsOf } from './community-erasure.rules.ts'

const batchSize = 50

/** Replaces the name of the user in the texts that mention the user. */
export async function eraseMentionsOfUser(
  tx: TenantTx,
  userId: string,
): Promise<{ mentions: number; hasMore: boolean }> {
  const found = await listMentionsOfUser(tx, userId, batchSize)
  if (!found.length) return { mentions: 0, hasMore: false }
  await lockThreadRows(tx, [...new Set(found.map(({ thread_id }) => thread_id))])
  const mentions = await deleteMentionsOfUser(
    tx,
    userId,
    found.map(({ post_id }) => post_id),
  )
  await rewritePosts(tx, found, 'thread', userId)
  await rewritePosts(tx, found, 'reply', userId)
  return { mentions, hasMore: found.length === batchSize }
}

async function rewritePosts(
  tx: TenantTx,
  found: readonly MentionRow[],
  kind: 'thread' | 'reply',
  userId: string,
): Promise<void> {
  const ids = found.filter(({ post_kind }) => post_kind === kind).map(({ post_id }) => post_id)
  if (!ids.length) return
  const posts = await listPostBodies(tx, kind === 'thread' ? 'community.threads' : 'community.replies', ids)
  const otherIds = await listMentionedIds(tx, ids)
  for (const { id, body } of posts) {
    const rewritten = replaceMentionsOf(userId, body, `@${formerMember}`)
    const document = await parseStoredMarkdown(rewritten, { key: tenantIdOf(tx) })
    const fields = {
      body: rewritten,
      body_html: document.toHtml(new Set(otherIds.get(id) ?? [])),
      body_text: document.text,
      renderer_version: markdownVersion,
    }
    if (kind === 'thread') await updateThreadRow(tx, id, { ...fields, excerpt: toExcerpt(document.text) })
    else await updateReplyRow(tx, id, fields)
  }
}

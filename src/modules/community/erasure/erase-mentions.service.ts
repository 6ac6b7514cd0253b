import { listAuditedIdsMentioning, redactAuditEntries } from '#platform/audit'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { scanForMentions } from '#platform/erasure'
import { markdownVersion, parseStoredMarkdown } from '#platform/markdown'
import type { ErasureBatch } from '#platform/module'
import { lockThreadRows } from '../maintenance/reconcile.queries.ts'
import { listMentionedIds } from '../posts/mentions.queries.ts'
import { formerMember, toExcerpt } from '../posts/post-text.rules.ts'
import { updateReplyRow } from '../replies/replies.queries.ts'
import { updateThreadRow } from '../threads/threads.queries.ts'
import {
  deleteMentionsOfUser,
  listMentionsOfUser,
  listPostTexts,
  type MentionRow,
} from './community-erasure.queries.ts'
import { replaceMentionsOf, toMentionUrl } from './community-erasure.rules.ts'

const batchSize = 50

type PostKind = 'thread' | 'reply'

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
  await replaceLinks(tx, 'thread', idsOf(found, 'thread'), userId)
  await replaceLinks(tx, 'reply', idsOf(found, 'reply'), userId)
  return { mentions, hasMore: found.length === batchSize }
}

const idsOf = (found: readonly MentionRow[], kind: PostKind): string[] =>
  found.filter(({ post_kind }) => post_kind === kind).map(({ post_id }) => post_id)

/** Links without a stored mention: the user was already deactivated when the text was written. */
export async function eraseLinksToUser(
  tx: TenantTx,
  kind: PostKind,
  userId: string,
  after?: string,
): Promise<ErasureBatch> {
  const table = kind === 'thread' ? 'community.threads' : 'community.replies'
  const mentions = [toMentionUrl(userId)]
  const { ids, next } = await scanForMentions(tx, { table, columns: ['body'], mentions, after })
  if (ids.length) {
    await lockThreadRows(tx, [...new Set((await listPostTexts(tx, kind, ids)).map(({ thread_id }) => thread_id))])
    await replaceLinks(tx, kind, ids, userId)
  }
  return { counts: { [table]: ids.length }, ...(next && { next }) }
}

/** Erases former texts of posts, which the audit log keeps, also of posts that no longer mention the user. */
export async function eraseFormerLinksToUser(
  tx: TenantTx,
  kind: PostKind,
  userId: string,
  after?: string,
): Promise<ErasureBatch> {
  const { ids, next } = await listAuditedIdsMentioning(tx, kind, { mentions: [toMentionUrl(userId)], after })
  return { counts: { 'platform.audit_log': await redactAuditEntries(tx, kind, ids) }, ...(next && { next }) }
}

async function replaceLinks(tx: TenantTx, kind: PostKind, ids: readonly string[], userId: string): Promise<void> {
  if (!ids.length) return
  const otherIds = await listMentionedIds(tx, ids)
  for (const { id, body } of await listPostTexts(tx, kind, ids)) {
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

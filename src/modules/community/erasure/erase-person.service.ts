import { redactAuditEntries } from '#platform/audit'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { eraseMentions, mentionsOf, scanForMentions, toMentionPattern } from '#platform/erasure'
import { markdownVersion, parseStoredMarkdown } from '#platform/markdown'
import type { ErasedPerson, ErasureBatch } from '#platform/module'
import { lockThreadRows } from '../maintenance/reconcile.queries.ts'
import { listMentionedIds } from '../posts/mentions.queries.ts'
import { toExcerpt } from '../posts/post-text.rules.ts'
import { updateReplyRow } from '../replies/replies.queries.ts'
import { updateThreadRow } from '../threads/threads.queries.ts'
import { listPostTexts } from './community-erasure.queries.ts'

const sources = {
  thread: { table: 'community.threads', columns: ['title', 'body', 'hidden_reason'], auditType: 'thread' },
  reply: { table: 'community.replies', columns: ['body', 'hidden_reason'], auditType: 'reply' },
} as const

export async function erasePersonFromPosts(
  tx: TenantTx,
  kind: 'thread' | 'reply',
  person: ErasedPerson,
  after?: string,
): Promise<ErasureBatch> {
  const { table, columns, auditType } = sources[kind]
  const mentions = mentionsOf(person)
  const { ids, next } = await scanForMentions(tx, { table, columns, mentions, after })
  const more = next === null ? {} : { next }
  if (!ids.length) return { counts: {}, ...more }
  const pattern = toMentionPattern(mentions)
  const found = await listPostTexts(tx, kind, ids)
  await lockThreadRows(tx, [...new Set(found.map(({ thread_id }) => thread_id))])
  const mentionedIds = await listMentionedIds(tx, ids)
  for (const { id, title, body, hidden_reason } of await listPostTexts(tx, kind, ids)) {
    const erased = eraseMentions(body, pattern)
    const document = await parseStoredMarkdown(erased, { key: tenantIdOf(tx) })
    const fields = {
      body: erased,
      body_html: document.toHtml(new Set(mentionedIds.get(id) ?? [])),
      body_text: document.text,
      renderer_version: markdownVersion,
      hidden_reason: hidden_reason && eraseMentions(hidden_reason, pattern),
    }
    const excerpt = toExcerpt(document.text)
    if (kind === 'thread') await updateThreadRow(tx, id, { ...fields, title: eraseMentions(title!, pattern), excerpt })
    else await updateReplyRow(tx, id, fields)
  }
  const redacted = await redactAuditEntries(tx, auditType, ids)
  return { counts: { [table]: ids.length, 'platform.audit_log': redacted }, ...more }
}

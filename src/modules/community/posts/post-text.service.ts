import { findUserCards, type UserCard } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { type MarkdownDocument, markdownVersion } from '#platform/markdown'
import { assertFewMentions } from './post-text.rules.ts'

export type PostText = {
  fields: { body: string; body_html: string; body_text: string; renderer_version: number }
  /** Active users of the workspace; other mentions are plain text. */
  mentioned: UserCard[]
  users: ReadonlyMap<string, UserCard>
}

/** A text that was parsed before the transaction, because an expensive one takes longer than a statement. */
export type ParsedPost = { body: string; document: MarkdownDocument }

export async function renderPost(tx: TenantTx, authorId: string, { body, document }: ParsedPost): Promise<PostText> {
  assertFewMentions(document.mentionedIds)
  const users = await findUserCards(tx, [authorId, ...document.mentionedIds])
  const mentioned = [...users.values()].filter(
    ({ id, status }) => status === 'active' && document.mentionedIds.includes(id),
  )
  return {
    fields: {
      body,
      body_html: document.toHtml(new Set(mentioned.map(({ id }) => id))),
      body_text: document.text,
      renderer_version: markdownVersion,
    },
    mentioned,
    users,
  }
}

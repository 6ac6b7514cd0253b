import { findUserCards, type UserCard } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { markdownVersion, parseMarkdown } from '#platform/markdown'
import { assertFewMentions } from './post-text.rules.ts'

export type PostText = {
  fields: { body: string; body_html: string; body_text: string; renderer_version: number }
  /** Active users of the workspace; other mentions are plain text. */
  mentioned: UserCard[]
  /** The author and the mentioned users. */
  users: ReadonlyMap<string, UserCard>
}

export async function renderPost(tx: TenantTx, authorId: string, body: string): Promise<PostText> {
  const document = parseMarkdown(body)
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

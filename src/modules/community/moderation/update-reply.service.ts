import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { assertVersion } from '#platform/errors'
import type { MarkdownDocument } from '#platform/markdown'
import { emit } from '#platform/outbox'
import { replyUpdated } from '../community.events.ts'
import { saveMentions } from '../posts/mentions.service.ts'
import { type PostText, renderPost } from '../posts/post-text.service.ts'
import { presentReplies } from '../replies/present-replies.service.ts'
import { getReplyRow, type ReplyRow, updateReplyRow } from '../replies/replies.queries.ts'
import type { Reply } from '../replies/replies.schemas.ts'
import {
  assertReadable,
  assertWritable,
  assertWritableOrModerator,
  type RoomAccess,
} from '../rooms/room-access.rules.ts'
import { assertNotSuspended } from '../suspensions/suspensions.service.ts'
import { lockThread, type ThreadRow } from '../threads/threads.queries.ts'
import { getThreadAccess } from '../threads/threads.service.ts'
import { hideReply, referenceOf, showReply } from './hide-posts.service.ts'
import { assertMayUpdate, isModeration } from './moderation.rules.ts'
import type { ReplyChanges } from './moderation.schemas.ts'
import { recordEdit } from './record-edit.service.ts'

type UpdateReplyInput = {
  threadId: string
  replyId: string
  changes: ReplyChanges
  document: MarkdownDocument | undefined
  expectedVersion?: number
  now: Date
}

export async function updateReply(
  tx: TenantTx,
  actor: UserActor,
  { threadId, replyId, changes, document, expectedVersion, now }: UpdateReplyInput,
): Promise<Reply> {
  await assertNotSuspended(tx, actor)
  const { access, key } = await getThreadAccess(tx, actor, threadId)
  assertReadable(access)
  const text = document && (await renderPost(tx, actor.userId, { body: changes.body!, document }))
  const thread = await lockThread(tx, key)
  const reply = await getReplyRow(tx, { ...key, id: replyId, threadId })
  assertMayUpdate(actor, access, reply, changes)
  if (isModeration(changes)) assertWritableOrModerator(access)
  else assertWritable(access)
  assertVersion(reply, expectedVersion)

  const edited = text ? await editReply(tx, actor, reply, { thread, access, text, now }) : reply
  const updated = await setHidden(tx, thread, edited, changes, now)
  const accepted_reply_id = updated.hidden_at ? null : thread.accepted_reply_id
  const [presented] = await presentReplies(tx, actor, [updated], { accepted_reply_id, access })
  return presented!
}

type Edit = { thread: ThreadRow; access: RoomAccess; text: PostText; now: Date }

async function editReply(
  tx: TenantTx,
  actor: UserActor,
  reply: ReplyRow,
  { thread, access, text, now }: Edit,
): Promise<ReplyRow> {
  if (text.fields.body === reply.body) return reply
  const { id } = reply
  const updated = await updateReplyRow(tx, id, { ...text.fields, edited_at: now })
  const post = { id, thread_id: thread.id, kind: 'reply', title: thread.title, authorId: actor.userId, access } as const
  const isHidden = reply.hidden_at !== null || thread.hidden_at !== null
  await saveMentions(tx, { ...post, isHidden }, text.mentioned, now)
  await recordEdit(tx, 'reply.updated', { id, label: thread.title, before: {}, after: {}, formerBody: reply.body })
  await emit(tx, replyUpdated, thread, { ...referenceOf(thread, reply), changed: ['body'] })
  return updated
}

async function setHidden(
  tx: TenantTx,
  thread: ThreadRow,
  reply: ReplyRow,
  { hidden, hidden_reason = null }: { hidden?: boolean; hidden_reason?: string | null },
  now: Date,
): Promise<ReplyRow> {
  if (hidden === undefined) return reply
  return hidden
    ? await hideReply(tx, thread, reply, { reason: hidden_reason, now })
    : await showReply(tx, thread, reply, now)
}

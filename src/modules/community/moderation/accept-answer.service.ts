import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion, conflict, roleRequired, unknownReference } from '#platform/errors'
import { emit } from '#platform/outbox'
import { answerAccepted } from '../community.events.ts'
import { findReply } from '../replies/replies.queries.ts'
import { assertReadable, assertWritable } from '../rooms/room-access.rules.ts'
import { assertNotSuspended } from '../suspensions/suspensions.service.ts'
import { presentThread } from '../threads/present-threads.service.ts'
import { lockThread, updateThreadRow } from '../threads/threads.queries.ts'
import type { Thread } from '../threads/threads.schemas.ts'
import { getThreadAccess } from '../threads/threads.service.ts'

type AnswerInput = { replyId: string | null; expectedVersion?: number }

export async function replaceThreadAnswer(
  tx: TenantTx,
  actor: UserActor,
  threadId: string,
  { replyId, expectedVersion }: AnswerInput,
): Promise<Thread> {
  await assertNotSuspended(tx, actor)
  const { access, key } = await getThreadAccess(tx, actor, threadId)
  assertReadable(access)
  const thread = await lockThread(tx, key)
  if (!access.isModerator && thread.author_id !== actor.userId)
    throw roleRequired(
      'Only the author of the thread, the owner of the room, managers and admins can accept an answer.',
    )
  assertWritable(access)
  assertVersion(thread, expectedVersion)
  if (thread.kind !== 'question')
    throw conflict('conflict', 'Only a thread of the kind `question` has an accepted answer.')
  if (replyId !== null) {
    const shown = { includesHidden: false, includesDeleted: false }
    const reply = await findReply(tx, { id: replyId, threadId, viewer: key.viewer, shown })
    if (!reply) throw unknownReference('/reply_id', 'visible reply to this thread')
  }
  if (replyId === thread.accepted_reply_id) return await presentThread(tx, actor, thread, access)

  const updated = await updateThreadRow(tx, threadId, { accepted_reply_id: replyId })
  const { title: label, room_id, accepted_reply_id } = thread
  const [before, after] = [{ accepted_reply_id }, { accepted_reply_id: replyId }]
  await recordAudit(tx, 'thread.answer_accepted', { id: threadId, label, before, after })
  await emit(tx, answerAccepted, updated, { room_id, reply_id: replyId })
  return await presentThread(tx, actor, updated, access)
}

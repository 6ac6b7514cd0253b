import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion } from '#platform/errors'
import type { MarkdownDocument } from '#platform/markdown'
import { emit } from '#platform/outbox'
import { threadLocked, threadUnlocked, threadUpdated } from '../community.events.ts'
import { saveMentions } from '../posts/mentions.service.ts'
import { cleanTitle, hashBody, toExcerpt } from '../posts/post-text.rules.ts'
import { type PostText, renderPost } from '../posts/post-text.service.ts'
import {
  assertModerator,
  assertReadable,
  assertWritable,
  assertWritableOrModerator,
  type RoomAccess,
} from '../rooms/room-access.rules.ts'
import { assertNotSuspended } from '../suspensions/suspensions.service.ts'
import { lockTargetRoom } from '../threads/create-thread.service.ts'
import { presentThread } from '../threads/present-threads.service.ts'
import { lockThread, type ThreadRow, updateThreadRow } from '../threads/threads.queries.ts'
import type { Thread } from '../threads/threads.schemas.ts'
import { getThreadAccess } from '../threads/threads.service.ts'
import { hideThread, showThread } from './hide-posts.service.ts'
import { assertMayUpdate, isModeration } from './moderation.rules.ts'
import type { ThreadChanges } from './moderation.schemas.ts'
import { recordEdit } from './record-edit.service.ts'

type UpdateThreadInput = {
  changes: ThreadChanges
  document: MarkdownDocument | undefined
  expectedVersion?: number
  now: Date
}

export async function updateThread(
  tx: TenantTx,
  actor: UserActor,
  threadId: string,
  { changes, document, expectedVersion, now }: UpdateThreadInput,
): Promise<Thread> {
  await assertNotSuspended(tx, actor)
  const { access: current, key } = await getThreadAccess(tx, actor, threadId)
  assertReadable(current)
  const text = document && (await renderPost(tx, actor.userId, { body: changes.body!, document }))
  const isMoved = changes.room_id !== undefined && changes.room_id !== key.roomId
  if (isMoved) assertModerator(current)
  const access = isMoved ? await lockTargetRoom(tx, actor, changes.room_id!) : current
  const thread = await lockThread(tx, key)
  assertMayUpdate(actor, current, thread, changes)
  if (isMoved) assertModerator(access)
  if (isModeration(changes)) assertWritableOrModerator(current)
  else assertWritable(current)
  if (isMoved) assertWritable(access)
  assertVersion(thread, expectedVersion)

  const edited = await editThread(tx, actor, thread, { changes, text, access, now })
  const locked = await setLocked(tx, edited, changes.locked, { userId: actor.userId, now })
  const updated = await setHidden(tx, locked, changes, now)
  return await presentThread(tx, actor, updated, access)
}

type Edit = { changes: ThreadChanges; text: PostText | undefined; access: RoomAccess; now: Date }

async function editThread(
  tx: TenantTx,
  actor: UserActor,
  thread: ThreadRow,
  { changes: { title, body, kind, room_id }, text, access, now }: Edit,
): Promise<ThreadRow> {
  const changes = changedFields(thread, {
    ...(title !== undefined && { title: cleanTitle(title) }),
    ...(body !== undefined && { body }),
    ...(kind !== undefined && { kind }),
    ...(room_id !== undefined && { room_id }),
  })
  const changed = Object.keys(changes)
  if (!changed.length) return thread

  const updated = await updateThreadRow(tx, thread.id, {
    ...changes,
    ...(changes.body !== undefined && {
      ...text!.fields,
      excerpt: toExcerpt(text!.fields.body_text),
      body_hash: hashBody(changes.body),
    }),
    ...((changes.title !== undefined || changes.body !== undefined) && { edited_at: now }),
    ...(changes.kind !== undefined && { accepted_reply_id: null }),
    ...(changes.room_id !== undefined && { is_pinned: false, pinned_at: null, pinned_by: null }),
  })
  if (changes.body !== undefined) {
    const { id } = thread
    const post = { id, thread_id: id, kind: 'thread', title: updated.title, authorId: actor.userId, access } as const
    await saveMentions(tx, { ...post, isHidden: thread.hidden_at !== null }, text!.mentioned, now)
  }
  await recordEdit(tx, 'thread.updated', {
    id: thread.id,
    label: updated.title,
    before: auditedFields(thread),
    after: auditedFields(updated),
    ...(changes.body !== undefined && { formerBody: thread.body }),
  })
  await emit(tx, threadUpdated, updated, { room_id: updated.room_id, changed })
  return updated
}

const auditedFields = ({ title, kind, room_id }: ThreadRow) => ({ title, kind, room_id })

async function setLocked(
  tx: TenantTx,
  thread: ThreadRow,
  locked: boolean | undefined,
  { userId, now }: { userId: string; now: Date },
): Promise<ThreadRow> {
  if (locked === undefined || locked === (thread.locked_at !== null)) return thread
  const fields = { locked_at: locked ? now : null, locked_by: locked ? userId : null }
  const updated = await updateThreadRow(tx, thread.id, fields)
  const entry = { id: thread.id, label: thread.title, before: { is_locked: !locked }, after: { is_locked: locked } }
  await recordAudit(tx, locked ? 'thread.locked' : 'thread.unlocked', entry)
  await emit(tx, locked ? threadLocked : threadUnlocked, updated, { room_id: thread.room_id })
  return updated
}

async function setHidden(
  tx: TenantTx,
  thread: ThreadRow,
  { hidden, hidden_reason = null }: Pick<ThreadChanges, 'hidden'> & { hidden_reason?: string | null },
  now: Date,
): Promise<ThreadRow> {
  if (hidden === undefined) return thread
  return hidden ? await hideThread(tx, thread, { reason: hidden_reason, now }) : await showThread(tx, thread, now)
}

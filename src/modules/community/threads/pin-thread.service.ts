import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion } from '#platform/errors'
import { emit } from '#platform/outbox'
import { threadPinned, threadUnpinned } from '../community.events.ts'
import { assertModerator, assertReadable } from '../rooms/room-access.rules.ts'
import { assertNotSuspended } from '../suspensions/suspensions.service.ts'
import { presentThread } from './present-threads.service.ts'
import { countPinnedThreads } from './room-threads.queries.ts'
import { lockPinsOfRoom, lockThread, updateThreadRow } from './threads.queries.ts'
import { maxPinnedThreads, pinLimitError } from './threads.rules.ts'
import type { PinChange, Thread } from './threads.schemas.ts'
import { getThreadAccess } from './threads.service.ts'

type PinInput = { change: PinChange; expectedVersion?: number; now: Date }

/** Without `pinned` the state changes to the opposite. */
export async function updateThreadPin(
  tx: TenantTx,
  actor: UserActor,
  threadId: string,
  { change, expectedVersion, now }: PinInput,
): Promise<Thread> {
  await assertNotSuspended(tx, actor)
  const { access, key } = await getThreadAccess(tx, actor, threadId)
  assertReadable(access)
  assertModerator(access)
  await lockPinsOfRoom(tx, key.roomId)
  const thread = await lockThread(tx, key)
  assertVersion(thread, expectedVersion)
  const isPinned = change.pinned ?? !thread.is_pinned
  if (isPinned === thread.is_pinned) return await presentThread(tx, actor, thread, access)
  if (isPinned && (await countPinnedThreads(tx, key.roomId)) >= maxPinnedThreads) throw pinLimitError()

  const updated = await updateThreadRow(tx, threadId, {
    is_pinned: isPinned,
    pinned_at: isPinned ? now : null,
    pinned_by: isPinned ? actor.userId : null,
  })
  const entry = { id: threadId, label: thread.title, before: { is_pinned: !isPinned }, after: { is_pinned: isPinned } }
  await recordAudit(tx, isPinned ? 'thread.pinned' : 'thread.unpinned', entry)
  await emit(tx, isPinned ? threadPinned : threadUnpinned, updated, { room_id: key.roomId })
  return await presentThread(tx, actor, updated, access)
}

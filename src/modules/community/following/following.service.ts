import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { listReaderRows, upsertFollowing, upsertReadPosition } from '../readers/thread-readers.queries.ts'
import { readingStateOf } from '../readers/thread-readers.rules.ts'
import { assertReadable } from '../rooms/room-access.rules.ts'
import { getThreadRow, type ThreadRow } from '../threads/threads.queries.ts'
import { getThreadAccess } from '../threads/threads.service.ts'
import type { ReadPosition, ThreadReading } from './following.schemas.ts'

export const followThread = (tx: TenantTx, actor: UserActor, threadId: string, now: Date): Promise<ThreadReading> =>
  changeFollowing(tx, actor, threadId, { isFollowing: true, now })

export const unfollowThread = (tx: TenantTx, actor: UserActor, threadId: string, now: Date): Promise<ThreadReading> =>
  changeFollowing(tx, actor, threadId, { isFollowing: false, now })

type FollowingChange = { isFollowing: boolean; now: Date }

async function changeFollowing(
  tx: TenantTx,
  actor: UserActor,
  threadId: string,
  { isFollowing, now }: FollowingChange,
): Promise<ThreadReading> {
  const thread = await getReadableThread(tx, actor, threadId)
  await upsertFollowing(tx, { threadId, userId: actor.userId, now }, isFollowing)
  return await presentReading(tx, actor, thread)
}

export async function markThreadRead(
  tx: TenantTx,
  actor: UserActor,
  threadId: string,
  { reply_no, now }: ReadPosition & { now: Date },
): Promise<ThreadReading> {
  const thread = await getReadableThread(tx, actor, threadId)
  const lastNo = thread.next_reply_no - 1
  await upsertReadPosition(tx, { threadId, userId: actor.userId, now }, Math.min(reply_no ?? lastNo, lastNo))
  return await presentReading(tx, actor, thread)
}

async function getReadableThread(tx: TenantTx, actor: UserActor, threadId: string): Promise<ThreadRow> {
  const { access, key } = await getThreadAccess(tx, actor, threadId)
  assertReadable(access)
  return await getThreadRow(tx, key)
}

async function presentReading(tx: TenantTx, actor: UserActor, thread: ThreadRow): Promise<ThreadReading> {
  const [row] = await listReaderRows(tx, actor.userId, [thread.id])
  return { thread_id: thread.id, ...readingStateOf(actor, thread, row) }
}

import { findRoomSummary, type RoomSummary } from '#modules/rooms'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { inTenant } from '#platform/db'
import type { RequestTransaction } from '#platform/http'
import { parseMarkdown } from '#platform/markdown'
import type { Services } from '#platform/module'
import { postLimit, threadLimit, withinPostLimits } from '../posts/post-limits.ts'
import { createThread as createThreadRow } from './create-thread.service.ts'
import type { NewThread, Thread } from './threads.schemas.ts'

type Request = { actor: UserActor; inTenant: RequestTransaction; body: NewThread }

/** Moderators of the room have higher limits, so the room is read before the post is counted. */
export async function createThread(
  { db, limits, clock }: Pick<Services, 'db' | 'limits' | 'clock'>,
  request: Request,
): Promise<Thread> {
  const { actor, body } = request
  const readRoom = () => inTenant(db, actor, (tx) => findRoomSummary(tx, body.room_id))
  const isModerator = isManagerOrAdmin(actor.role) || isOwner(actor, await readRoom())
  return await withinPostLimits(limits, { actor, isModerator, limits: [threadLimit, postLimit] }, async () => {
    const document = await parseMarkdown(body.body, { key: actor.tenantId })
    return await request.inTenant((tx) => createThreadRow(tx, actor, { ...body, document }, clock))
  })
}

const isOwner = ({ userId }: UserActor, room: RoomSummary | undefined): boolean => room?.owner_id === userId

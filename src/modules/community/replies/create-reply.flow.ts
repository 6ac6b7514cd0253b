import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { inTenant } from '#platform/db'
import type { RequestTransaction } from '#platform/http'
import { parseMarkdown } from '#platform/markdown'
import type { Services } from '#platform/module'
import { postLimit, replyLimit, withinPostLimits } from '../posts/post-limits.ts'
import { getThreadAccess } from '../threads/threads.service.ts'
import { createReply as createReplyRow } from './create-reply.service.ts'
import type { NewReply, Reply } from './replies.schemas.ts'

type Request = {
  actor: UserActor
  inTenant: RequestTransaction
  params: { thread_id: string }
  body: NewReply
}

/** Moderators of the room have higher limits, so the room is read before the post is counted. */
export async function createReply(
  { db, limits, clock }: Pick<Services, 'db' | 'limits' | 'clock'>,
  request: Request,
): Promise<Reply> {
  const { actor, params, body } = request
  const readAccess = () => inTenant(db, actor, (tx) => getThreadAccess(tx, actor, params.thread_id))
  const isModerator = isManagerOrAdmin(actor.role) || (await readAccess()).access.isModerator
  const limited = { actor, isModerator, limits: [replyLimit, postLimit] }
  return await withinPostLimits(limits, limited, async () => {
    const document = await parseMarkdown(body.body, { key: actor.tenantId })
    return await request.inTenant((tx) => createReplyRow(tx, actor, params.thread_id, { ...body, document }, clock))
  })
}

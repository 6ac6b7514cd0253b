import type { UserActor } from '#platform/access'
import { inTenant } from '#platform/db'
import type { RequestTransaction } from '#platform/http'
import type { Services } from '#platform/module'
import { analyzeRoleplayInThread } from './conversation-work.ts'
import { getVisibleRoleplay } from './present-roleplay.service.ts'
import { listMessages, markHints } from './roleplay.queries.ts'
import type { RoleplayAnalysis } from './roleplay.schemas.ts'

/** Analyzes between two transactions, because a long conversation takes longer than a statement. Hints are stored before they are given. */
export async function analyzeRoleplay(
  { db }: Pick<Services, 'db'>,
  actor: UserActor,
  id: string,
  inRequestTransaction: RequestTransaction,
): Promise<RoleplayAnalysis> {
  const { roleplay, messages } = await inTenant(db, actor, async (tx) => {
    const roleplay = await getVisibleRoleplay(tx, actor, id)
    if (roleplay.rep_id === actor.userId) await markHints(tx, id)
    return { roleplay, messages: await listMessages(tx, id) }
  })
  const analysis = await analyzeRoleplayInThread(actor.tenantId, roleplay, messages)
  return await inRequestTransaction(async () => analysis)
}

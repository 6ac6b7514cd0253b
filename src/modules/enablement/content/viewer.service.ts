import { listTeamIdsOfUser } from '#modules/identity'
import { isManagerOrAdmin } from '#platform/access'
import { actorOf, type TenantTx } from '#platform/db'
import type { ContentViewer } from './content.rules.ts'

/** Managers see all content, so their teams are not read. */
export async function readViewer(tx: TenantTx): Promise<ContentViewer> {
  const { userId, role } = actorOf(tx)
  const isManager = role !== null && isManagerOrAdmin(role)
  return { userId, isManager, teamIds: isManager || !userId ? [] : await listTeamIdsOfUser(tx, userId) }
}

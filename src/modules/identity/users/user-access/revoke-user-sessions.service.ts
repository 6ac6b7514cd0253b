import type { Role, UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { revokeSessionsOfUser } from '../../workspace/sessions/sessions.service.ts'
import { lockUser } from '../../workspace/user-records/users.queries.ts'
import { assertCanManageUser } from '../users/manage-user.rules.ts'

export async function revokeUserSessions(tx: TenantTx, actor: UserActor, userId: string, now: Date) {
  const user = await lockUser(tx, userId)
  assertCanManageUser(actor, 'update_details', user.role as Role, now)

  return { sessions_revoked: await revokeSessionsOfUser(tx, userId, 'signed_out_by_admin') }
}

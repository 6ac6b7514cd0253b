import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { revokeSessionsOfUser } from '../sessions/sessions.service.ts'
import { assertCanManageUser } from '../users/update-user.rules.ts'
import { lockUser } from '../users/users.queries.ts'

export async function revokeUserSessions(tx: TenantTx, actor: UserActor, userId: string) {
  const user = await lockUser(tx, userId)
  assertCanManageUser(actor, user.role)

  return { sessions_revoked: await revokeSessionsOfUser(tx, userId, 'signed_out_by_admin') }
}

import type { Role, UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { revokeSessionsOfUser, revokeSessionsOfWorkspace } from '../../workspace/sessions/sessions.service.ts'
import { lockUser } from '../../workspace/user-records/users.queries.ts'
import { assertCanManageUser } from '../users/manage-user.rules.ts'

type SignOut = { tenant: { id: string; slug: string }; confirm: string; now: Date }

/** Keeps the session of the caller, who could otherwise not see the result. */
export async function revokeWorkspaceSessions(
  tx: TenantTx,
  { userId, sessionId }: UserActor,
  { tenant: { id, slug }, confirm, now }: SignOut,
) {
  if (confirm !== slug) throw invalid('query', '/confirm', 'mismatch', '`confirm` must be the slug of the workspace.')
  const revoked = await revokeSessionsOfWorkspace(tx, 'signed_out_by_admin', { except: sessionId!, now })
  const others = revoked.filter(({ kind, user_id }) => kind === 'user' && user_id !== userId)
  await recordAudit(tx, 'tenant.signed_out', { id, label: slug, after: { sessions_ended: revoked.length } })
  return { sessions_revoked: revoked.length, users_signed_out: new Set(others.map(({ user_id }) => user_id)).size }
}

export async function revokeUserSessions(tx: TenantTx, actor: UserActor, userId: string, now: Date) {
  const user = await lockUser(tx, userId)
  assertCanManageUser(actor, 'update_details', user.role as Role, now)

  return { sessions_revoked: await revokeSessionsOfUser(tx, userId, 'signed_out_by_admin') }
}

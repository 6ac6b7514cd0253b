import type { SignedIn } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { endSessionsOf } from '../sessions/sessions.service.ts'
import { assertMayManage } from './change-user.rules.ts'
import { lockUser } from './users.queries.ts'

export async function signOutEverywhere(tx: TenantTx, actor: SignedIn, userId: string) {
  const user = await lockUser(tx, userId)
  assertMayManage(actor, user.role)

  return { sessions_revoked: await endSessionsOf(tx, userId, 'signed_out_by_admin') }
}

import type { TenantTx } from '#platform/db'
import { startTask } from '#platform/tasks'
import { revokeKeysOfUser } from '../../credentials/api-keys/api-keys.service.ts'
import { sendSecurityNoticeLater } from '../../credentials/emails/emails.jobs.ts'
import { markOneTimeTokensUsed } from '../../credentials/tokens/one-time-tokens.queries.ts'
import { revokeImpersonationsOfAdmin, revokeSessionsOfUser } from '../../workspace/sessions/sessions.service.ts'
import type { UserRow } from '../../workspace/user-records/users.queries.ts'
import { inviteUser } from './create-user.service.ts'
import { reassignTask } from './reassign-records.jobs.ts'
import { isDifferentEmail } from './update-user.rules.ts'

/** Revokes sessions, links and keys in the same transaction as the change that invalidates them. */
export async function revokeAccessAfterChange(tx: TenantTx, before: UserRow, after: UserRow, now: Date): Promise<void> {
  if (before.role === 'admin' && after.role !== 'admin') await revokeImpersonationsOfAdmin(tx, after.id, 'role_changed')
  if (before.status !== 'deactivated' && after.status === 'deactivated') await revokeAllAccess(tx, after.id, now)
  if (isDifferentEmail(before.email, after.email)) await handleEmailChange(tx, before, after, now)
}

export const invalidateLinks = (tx: TenantTx, userId: string, now: Date) =>
  markOneTimeTokensUsed(tx, userId, ['password_reset', 'invite', 'email_verify', 'sso_handoff'], now)

async function revokeAllAccess(tx: TenantTx, userId: string, now: Date): Promise<void> {
  await invalidateLinks(tx, userId, now)
  await revokeSessionsOfUser(tx, userId, 'user_deactivated')
  await revokeKeysOfUser(tx, userId, 'user_deactivated')
}

/** Links and sessions obtained with the old email address must not give access. Both addresses are notified. */
async function handleEmailChange(tx: TenantTx, before: UserRow, after: UserRow, now: Date): Promise<void> {
  await invalidateLinks(tx, after.id, now)
  await revokeSessionsOfUser(tx, after.id, 'email_changed')
  if (after.status === 'invited') await inviteUser(tx, after, now)
  if (after.status !== 'active') return
  await sendSecurityNoticeLater(tx, after.id, 'email_changed', { old_email: before.email, new_email: after.email })
}

export async function startReassignment(tx: TenantTx, user: UserRow, successorId: string | undefined) {
  if (successorId === undefined) return undefined
  return await startTask(
    tx,
    reassignTask,
    { from_user_id: user.id, to_user_id: successorId },
    { title: `Reassign records of ${user.name}`, resource: { type: 'user', id: user.id } },
  )
}

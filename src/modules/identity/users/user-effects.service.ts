import type { TenantTx } from '#platform/db'
import { startTask } from '#platform/tasks'
import { revokeKeysOf } from '../api-keys/api-keys.service.ts'
import { sendSecurityNoticeLater } from '../auth/auth.jobs.ts'
import { markTokensUsed } from '../auth/one-time-tokens.queries.ts'
import { endImpersonationsBy, endSessionsOf } from '../sessions/sessions.service.ts'
import { isOtherAddress } from './change-user.rules.ts'
import { inviteUser } from './invite-user.service.ts'
import { reassignTask } from './users.jobs.ts'
import type { UserRow } from './users.queries.ts'

/** Whatever a change takes away ends with it, not some time later. */
export async function endWhatEnds(tx: TenantTx, before: UserRow, after: UserRow, now: Date): Promise<void> {
  if (before.role === 'admin' && after.role !== 'admin') await endImpersonationsBy(tx, after.id, 'role_changed')
  if (before.status !== 'deactivated' && after.status === 'deactivated') await shutOut(tx, after.id, now)
  if (isOtherAddress(before.email, after.email)) await moveToAddress(tx, before, after, now)
}

/** Links that were sent to the user before open nothing any more. */
export const closeLinks = (tx: TenantTx, userId: string, now: Date) =>
  markTokensUsed(tx, userId, ['password_reset', 'invite', 'email_verify', 'sso_handoff'], now)

async function shutOut(tx: TenantTx, userId: string, now: Date): Promise<void> {
  await closeLinks(tx, userId, now)
  await endSessionsOf(tx, userId, 'user_deactivated')
  await revokeKeysOf(tx, userId, 'user_deactivated')
}

/** Links sent to the old address must not open the account, nor whoever is signed in by it. Both addresses are told. */
async function moveToAddress(tx: TenantTx, before: UserRow, after: UserRow, now: Date): Promise<void> {
  await closeLinks(tx, after.id, now)
  await endSessionsOf(tx, after.id, 'email_changed')
  if (after.status === 'invited') await inviteUser(tx, after, now)
  if (after.status !== 'active') return
  await sendSecurityNoticeLater(tx, after.id, 'email_changed', { old_email: before.email, new_email: after.email })
}

/** Undefined when nothing is to be handed over. */
export async function handOverLater(tx: TenantTx, user: UserRow, successorId: string | undefined) {
  if (successorId === undefined) return undefined
  return await startTask(
    tx,
    reassignTask,
    { from_user_id: user.id, to_user_id: successorId },
    { title: `Hand over what ${user.name} owned`, resource: { type: 'user', id: user.id } },
  )
}

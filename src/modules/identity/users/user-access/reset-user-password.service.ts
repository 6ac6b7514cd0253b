import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { emit } from '#platform/outbox'
import { sendPasswordResetLater, sendSecurityNoticeLater } from '../../credentials/emails/emails.jobs.ts'
import { userPasswordResetByAdmin } from '../../identity.events.ts'
import { revokeSessionsOfUser } from '../../workspace/sessions/sessions.service.ts'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import { replacePassword } from '../../workspace/user-records/credentials.queries.ts'
import { findUser, lockUser, type UserRow, updateUserRow } from '../../workspace/user-records/users.queries.ts'
import { assertNotImpersonating } from '../users/manage-user.rules.ts'
import type { TemporaryPassword } from '../users/temporary-password.ts'
import { invalidateLinks } from '../users/user-effects.service.ts'

type ResetPasswordContext = { temporary: TemporaryPassword; now: Date }

const resetLinkTtlSeconds = 3_600

/** Disables the old password at once: a third party who knows it must not be able to choose the new one. */
export async function resetUserPassword(
  tx: TenantTx,
  actor: UserActor,
  userId: string,
  { temporary, now }: ResetPasswordContext,
) {
  const user = await lockUser(tx, userId)
  assertResettable(actor, user)
  const { password_reset_delivery } = await readSettings(tx, 'security')
  const isTemporary = password_reset_delivery === 'temporary_password'
  const delivery = isTemporary ? ('temporary_password' as const) : ('email_link' as const)

  await invalidateLinks(tx, userId, now)
  await replacePassword(tx, userId, {
    hash: isTemporary ? temporary.hash : null,
    changedAt: now,
    temporaryExpiresAt: isTemporary ? temporary.expires_at : null,
  })
  const updated = await updateUserRow(tx, userId, { must_change_password: true })
  const sessions_revoked = await revokeSessionsOfUser(tx, userId, 'password_reset_by_admin')
  if (!isTemporary) await sendPasswordResetLater(tx, userId)
  await sendSecurityNoticeLater(tx, userId, 'password_reset_by_admin', { by: await nameOf(tx, actor) })
  await recordAudit(tx, 'user.password_reset_by_admin', { id: userId, label: user.name, after: { delivery } })
  await emit(tx, userPasswordResetByAdmin, updated, { delivery })
  return {
    user_id: userId,
    delivery,
    temporary_password: isTemporary ? temporary.password : null,
    must_change_password: true,
    expires_at: isTemporary ? temporary.expires_at : secondsLater(now, resetLinkTtlSeconds),
    sessions_revoked,
  }
}

function assertResettable(actor: UserActor, user: UserRow): void {
  assertNotImpersonating(actor)
  if (actor.userId === user.id)
    throw conflict(
      'self_change',
      'You cannot reset your own password. Use `POST /api/auth/change-password`, which asks for the current one.',
    )
  if (user.status === 'invited')
    throw conflict('conflict', 'This user has not accepted the invitation yet. Resend the invitation instead.')
  if (user.status !== 'active') throw conflict('conflict', 'The password of a user who is not active cannot be reset.')
}

async function nameOf(tx: TenantTx, { userId }: UserActor): Promise<string> {
  return (await findUser(tx, userId))?.name ?? ''
}

import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { emit } from '#platform/outbox'
import { sendPasswordResetLater, sendSecurityNoticeLater } from '../auth/auth.jobs.ts'
import { userPasswordResetByAdmin } from '../identity.events.ts'
import { endSessionsOf } from '../sessions/sessions.service.ts'
import { readSettings } from '../settings/settings.queries.ts'
import { assertNotImpersonating } from './change-user.rules.ts'
import { replacePassword } from './credentials.queries.ts'
import type { TemporaryPassword } from './temporary-password.ts'
import { closeLinks } from './user-effects.service.ts'
import { changeUserFields, findUser, lockUser, type UserRow } from './users.queries.ts'

type Circumstances = { temporary: TemporaryPassword; now: Date }

const resetLinkSeconds = 3_600

/** The old password opens nothing any more: whoever else knew it must not be the one to choose the next. */
export async function resetPassword(tx: TenantTx, actor: SignedIn, userId: string, { temporary, now }: Circumstances) {
  const user = await lockUser(tx, userId)
  assertResettable(actor, user)
  const { password_reset_delivery } = await readSettings(tx, 'security')
  const isGivenOut = password_reset_delivery === 'temporary_password'
  const delivery = isGivenOut ? ('temporary_password' as const) : ('email_link' as const)

  await closeLinks(tx, userId, now)
  await replacePassword(tx, userId, {
    hash: isGivenOut ? temporary.hash : null,
    changedAt: now,
    temporaryExpiresAt: isGivenOut ? temporary.expires_at : null,
  })
  const reset = await changeUserFields(tx, userId, { must_change_password: true })
  const sessions_revoked = await endSessionsOf(tx, userId, 'password_reset_by_admin')
  if (!isGivenOut) await sendPasswordResetLater(tx, userId)
  await sendSecurityNoticeLater(tx, userId, 'password_reset_by_admin', { by: await nameOf(tx, actor) })
  await record(tx, 'user.password_reset_by_admin', { id: userId, label: user.name, after: { delivery } })
  await emit(tx, userPasswordResetByAdmin, reset, { delivery })
  return {
    user_id: userId,
    delivery,
    temporary_password: isGivenOut ? temporary.password : null,
    must_change_password: true,
    expires_at: isGivenOut ? temporary.expires_at : secondsLater(now, resetLinkSeconds),
    sessions_revoked,
  }
}

function assertResettable(actor: SignedIn, user: UserRow): void {
  assertNotImpersonating(actor)
  if (actor.userId === user.id)
    throw conflict('self_change', 'Change your own password where you are asked for the present one.')
  if (user.status === 'invited')
    throw conflict('conflict', 'This person has not accepted the invitation yet. Send it again instead.')
  if (user.status !== 'active') throw conflict('conflict', 'This user is not active, so there is no password to reset.')
}

async function nameOf(tx: TenantTx, { userId }: SignedIn): Promise<string> {
  return (await findUser(tx, userId))?.name ?? ''
}

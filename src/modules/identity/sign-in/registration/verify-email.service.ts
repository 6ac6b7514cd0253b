import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { emit } from '#platform/outbox'
import { markOneTimeTokensUsed } from '../../credentials/tokens/one-time-tokens.queries.ts'
import { consumeOneTimeToken } from '../../credentials/tokens/one-time-tokens.service.ts'
import { userUpdated } from '../../identity.events.ts'
import { lockUser, updateUserRow } from '../../workspace/user-records/users.queries.ts'
import { sendVerificationLater } from './verification.jobs.ts'

/** Lock order: user, then token, as in an email change. */
export async function verifyEmail(tx: TenantTx, { userId }: UserActor, token: string, now: Date) {
  const user = await lockUser(tx, userId)
  await consumeOneTimeToken(tx, ['email_verify'], token, now, { userId })
  await markOneTimeTokensUsed(tx, userId, ['email_verify'], now)
  if (!user.email_verified_at) {
    const verified = await updateUserRow(tx, userId, { email_verified_at: now })
    await recordAudit(tx, 'user.updated', { id: userId, label: user.name, before: user, after: verified })
    await emit(tx, userUpdated, verified, { changed: ['email_verified_at'] })
  }
  return { status: 'email_verified' as const }
}

export async function resendVerification(tx: TenantTx, { userId }: UserActor) {
  const user = await lockUser(tx, userId)
  if (user.email_verified_at) throw conflict('conflict', 'Your email address is already verified.')

  await sendVerificationLater(tx, userId)
  return { status: 'verification_sent' as const, sent_to: user.email }
}

import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { emit } from '#platform/outbox'
import { markTokensUsed } from '../auth/one-time-tokens.queries.ts'
import { useOneTimeToken } from '../auth/one-time-tokens.service.ts'
import { userUpdated } from '../identity.events.ts'
import { changeUserFields, lockUser } from '../users/users.queries.ts'
import { sendVerificationLater } from './verification.jobs.ts'

/** The person is locked ahead of the link, in the same order as where an address is changed. */
export async function verifyEmail(tx: TenantTx, { userId }: SignedIn, token: string, now: Date) {
  const user = await lockUser(tx, userId)
  await useOneTimeToken(tx, ['email_verify'], token, now, { ofUser: userId })
  await markTokensUsed(tx, userId, ['email_verify'], now)
  if (!user.email_verified_at) {
    const verified = await changeUserFields(tx, userId, { email_verified_at: now })
    await record(tx, 'user.updated', { id: userId, label: user.name, before: user, after: verified })
    await emit(tx, userUpdated, verified, { changed: ['email_verified_at'] })
  }
  return { status: 'email_verified' as const }
}

export async function resendVerification(tx: TenantTx, { userId }: SignedIn) {
  const user = await lockUser(tx, userId)
  if (user.email_verified_at) throw conflict('conflict', 'Your e-mail address is verified already.')

  await sendVerificationLater(tx, userId)
  return { status: 'verification_sent' as const, sent_to: user.email }
}

import type { UserActor } from '#platform/access'
import type { LoginAccount } from '../../workspace/user-records/login-accounts.queries.ts'
import { changePasswordThrottles } from '../throttles/throttles.rules.ts'
import { reserveAttempt, retryWhilePending, settleAttempt } from '../throttles/throttles.service.ts'
import type { AuthServices } from '../tokens/auth-services.ts'
import { verifyPassword } from './password-hash.ts'

type PasswordCheck = { actor: UserActor; account: LoginAccount; password: string }

/** Throttled, so that an unattended browser cannot be used to guess the password. */
export async function checkPassword(
  { inTenantAs, clock }: Pick<AuthServices, 'inTenantAs' | 'clock'>,
  { actor, account, password }: PasswordCheck,
): Promise<boolean> {
  const throttles = changePasswordThrottles(actor.tenantId, account.id)
  await retryWhilePending(() => inTenantAs(actor, (tx) => reserveAttempt(tx, throttles, clock.now())))
  const settle = (outcome: 'succeeded' | 'failed' | 'abandoned') =>
    inTenantAs(actor, (tx) => settleAttempt(tx, throttles, outcome))

  const isCorrect = await verifyPassword(actor.tenantId, password, account.password_hash).catch(
    async (error: unknown) => {
      await settle('abandoned').catch(() => {})
      throw error
    },
  )
  await settle(isCorrect ? 'succeeded' : 'failed')
  return isCorrect
}

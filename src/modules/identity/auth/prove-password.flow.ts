import type { SignedIn } from '#platform/access'
import type { Account } from './accounts.queries.ts'
import type { AuthServices } from './auth-services.ts'
import { verifyPassword } from './passwords.ts'
import { changePasswordThrottles } from './throttles.rules.ts'
import { claimAttempt, settleAttempt, whenThereIsRoom } from './throttles.service.ts'

type Proof = { actor: SignedIn; account: Account; password: string }

/** Whoever found an open browser must not guess the password at leisure, wherever they are asked for it. */
export async function provePassword(
  { inNameOf, clock }: Pick<AuthServices, 'inNameOf' | 'clock'>,
  { actor, account, password }: Proof,
): Promise<boolean> {
  const throttles = changePasswordThrottles(actor.tenantId, account.id)
  await whenThereIsRoom(() => inNameOf(actor, (tx) => claimAttempt(tx, throttles, clock.now())))
  const settle = (outcome: 'succeeded' | 'failed' | 'abandoned') =>
    inNameOf(actor, (tx) => settleAttempt(tx, throttles, outcome))

  const isRight = await verifyPassword(password, account.password_hash).catch(async (error: unknown) => {
    await settle('abandoned').catch(() => {})
    throw error
  })
  await settle(isRight ? 'succeeded' : 'failed')
  return isRight
}

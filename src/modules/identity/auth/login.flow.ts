import { availableParallelism } from 'node:os'
import type { Actor } from '#platform/access'
import { recordDenied } from '#platform/audit'
import { daysLater } from '#platform/clock'
import { actorOf, type TenantTx, tenantOf } from '#platform/db'
import { AppError } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { loginFailedRepeatedly } from '../identity.events.ts'
import { readSettings } from '../settings/settings.queries.ts'
import type { SsoSettings } from '../settings/settings.schemas.ts'
import { type Account, findAccountByEmail, storeRehashed } from './accounts.queries.ts'
import type { Credentials, TokenResponse } from './auth.schemas.ts'
import { type AuthServices, actorFor, type InTenant } from './auth-services.ts'
import { neighbourhoodOf } from './device.rules.ts'
import { invalidCredentials, type Refusal, refusalOf } from './login.rules.ts'
import { hasLoggedInFrom } from './login-events.queries.ts'
import { recordLogin } from './login-events.service.ts'
import { openSession } from './open-session.service.ts'
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts'
import { loginThrottles, type Throttle } from './throttles.rules.ts'
import { claimAttempt, settleAttempt, whenThereIsRoom } from './throttles.service.ts'
import { type Issue, tokenResponse } from './token-response.ts'
import { LineIsFull, takingTurns } from './turns.ts'

type Attempt = { email: string; visitor: Actor; account: Account | undefined; sso: SsoSettings; throttles: Throttle[] }

// A flood of sign-ins must leave the connections to everybody else. So arrivals wait for arrivals, and whoever has been checked
// waits only for others who were; their number is limited by the line before the check.
const atOnce = Math.max(1, availableParallelism() >> 1)
const arriving = takingTurns({ atOnce, inLine: 200 })
const leaving = takingTurns({ atOnce, inLine: Number.POSITIVE_INFINITY })

/**
 * Signs somebody in. It takes more than one transaction, because checking a password takes long: no connection waits for it.
 * An address nobody has goes the same way to the end.
 */
export async function logIn(services: AuthServices, open: InTenant, given: Credentials): Promise<TokenResponse> {
  const attempt = await beginAttempt(services, open, given.email)
  const outcome = await checkAndEnter(services, attempt, given.password).catch(async (error: unknown) => {
    await leaving(() => open((tx) => settleAttempt(tx, attempt.throttles, 'abandoned'))).catch(() => {})
    throw error
  })
  if ('error' in outcome) {
    await leaving(() => open((tx) => noteFailure(tx, attempt, outcome.reason)))
    throw outcome.error
  }
  await rehash(services, attempt, given.password)
  return await tokenResponse(services, outcome)
}

async function beginAttempt({ clock }: AuthServices, open: InTenant, email: string): Promise<Attempt> {
  let account: Account | undefined
  const claim = () =>
    open(async (tx): Promise<Attempt> => {
      const now = clock.now()
      const visitor = actorOf(tx)
      const ip = visitor.trace!.ip
      account = await findAccountByEmail(tx, email)
      const isKnownNetwork = await hasLoggedInFrom(tx, account?.id ?? null, neighbourhoodOf(ip), daysLater(now, -30))
      const sso = await readSettings(tx, 'sso')
      const throttles = loginThrottles({ tenantId: tenantOf(tx), email, ip, isKnownNetwork })
      await claimAttempt(tx, throttles, now)
      return { email, visitor, account, sso, throttles }
    })
  return await whenThereIsRoom(() => arriving(claim)).catch(async (error: unknown) => {
    if (error instanceof AppError && !(error instanceof LineIsFull))
      await leaving(() => open((tx) => noteFailure(tx, { email, account, throttles: [] }, 'throttled')))
    throw error
  })
}

async function checkAndEnter(services: AuthServices, attempt: Attempt, password: string): Promise<Issue | Refusal> {
  const { account, sso } = attempt
  const isRight = await verifyPassword(password, account?.password_hash ?? null)
  if (!account || !isRight) return { reason: account ? 'wrong_password' : 'unknown_email', error: invalidCredentials() }
  const refusal = refusalOf(account, sso, services.clock.now())
  if (refusal) return refusal
  const issue = await leaving(() => enter(services, attempt, account))
  return issue ?? { reason: 'password_changed', error: invalidCredentials() }
}

/** Undefined when the password was changed while it was being checked. */
function enter(services: AuthServices, { visitor, throttles }: Attempt, account: Account): Promise<Issue | undefined> {
  const { tenantId, trace } = visitor
  const actor = actorFor({ tenantId, userId: account.id, role: account.role, sessionId: newId(), trace })
  return services.inNameOf(actor, async (tx) => {
    const issue = await openSession(services, tx, account, 'password')
    if (issue) await settleAttempt(tx, throttles, 'succeeded')
    return issue
  })
}

/** Guesses count against whoever makes them; being turned away with the right password does not. */
const guesses = new Set(['wrong_password', 'unknown_email', 'password_changed'])

async function noteFailure(
  tx: TenantTx,
  { email, account, throttles }: Pick<Attempt, 'email' | 'account' | 'throttles'>,
  reason: string,
): Promise<void> {
  const userId = account?.id ?? null
  const loginId = await recordLogin(tx, { userId, email, outcome: 'failure', reason, method: 'password' })
  await recordDenied(tx, 'login.failed', { id: userId, reason })
  const { isLimitReached } = await settleAttempt(tx, throttles, guesses.has(reason) ? 'failed' : 'abandoned')
  if (isLimitReached) await emit(tx, loginFailedRepeatedly, { id: loginId }, { user_id: userId })
}

/** Only now is the password at hand to be hashed at today's cost. If that fails the next time will do. */
async function rehash({ inNameOf, log }: AuthServices, { account, visitor }: Attempt, password: string): Promise<void> {
  const outdated = account?.password_hash
  if (!account || !outdated || !isOutdated(outdated)) return
  try {
    const renewed = await hashPassword(password)
    await inNameOf(visitor, (tx) => storeRehashed(tx, account.id, outdated, renewed))
  } catch (error) {
    log.warn({ err: error, user_id: account.id }, 'a password was not hashed anew')
  }
}

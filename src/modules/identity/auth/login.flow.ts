import type { Actor } from '#platform/access'
import { recordDenied } from '#platform/audit'
import { daysLater } from '#platform/clock'
import { actorOf, type TenantTx, tenantOf } from '#platform/db'
import { AppError } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { loginFailedRepeatedly } from '../identity.events.ts'
import { lockPresence, markLoggedIn } from '../sessions/sessions.queries.ts'
import { startSession } from '../sessions/sessions.service.ts'
import { readSettings } from '../settings/settings.queries.ts'
import type { SsoSettings } from '../settings/settings.schemas.ts'
import { type Account, findAccountByEmail, storeRehashed } from './accounts.queries.ts'
import { sendSecurityNoticeLater } from './auth.jobs.ts'
import type { Credentials, TokenResponse } from './auth.schemas.ts'
import { type AuthServices, actorFor, type InTenant } from './auth-services.ts'
import { deviceOf, neighbourhoodOf } from './device.rules.ts'
import { invalidCredentials, type Refusal, refusalOf } from './login.rules.ts'
import { hasLoggedInFrom } from './login-events.queries.ts'
import { isNewDevice, recordLogin } from './login-events.service.ts'
import { hashPassword, isOutdated, verifyPassword } from './passwords.ts'
import { loginThrottles, type Throttle } from './throttles.rules.ts'
import { claimAttempt, settleAttempt, whenThereIsRoom } from './throttles.service.ts'
import { type Issue, issueFor, tokenResponse } from './token-response.ts'

type Attempt = { email: string; visitor: Actor; account: Account | undefined; sso: SsoSettings; throttles: Throttle[] }

/**
 * Signs somebody in. It takes more than one transaction, because checking a password takes long: no connection waits for it.
 * An address nobody has goes the same way to the end.
 */
export async function logIn(services: AuthServices, open: InTenant, given: Credentials): Promise<TokenResponse> {
  const attempt = await beginAttempt(services, open, given.email)
  const outcome = await checkAndEnter(services, attempt, given.password).catch(async (error: unknown) => {
    await open((tx) => settleAttempt(tx, attempt.throttles, 'abandoned')).catch(() => {})
    throw error
  })
  if ('error' in outcome) {
    await open((tx) => noteFailure(tx, attempt, outcome.reason))
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
  return await whenThereIsRoom(claim).catch(async (error: unknown) => {
    if (error instanceof AppError) await open((tx) => noteFailure(tx, { email, account, throttles: [] }, 'throttled'))
    throw error
  })
}

async function checkAndEnter(services: AuthServices, attempt: Attempt, password: string): Promise<Issue | Refusal> {
  const { account, sso } = attempt
  const isRight = await verifyPassword(password, account?.password_hash ?? null)
  if (!account || !isRight) return { reason: account ? 'wrong_password' : 'unknown_email', error: invalidCredentials() }
  const refusal = refusalOf(account, sso, services.clock.now())
  if (refusal) return refusal
  const issue = await enter(services, attempt, account)
  return issue ?? { reason: 'password_changed', error: invalidCredentials() }
}

/** Undefined when the password was changed while it was being checked. */
function enter(services: AuthServices, { visitor, throttles }: Attempt, account: Account): Promise<Issue | undefined> {
  const { tenantId, trace } = visitor
  const now = services.clock.now()
  const id = newId()
  const actor = actorFor({ tenantId, userId: account.id, role: account.role, sessionId: id, trace })
  return services.inNameOf(actor, async (tx) => {
    await lockPresence(tx, account.id)
    const start = {
      id,
      user: account,
      method: 'password',
      passwordChangedAt: account.password_changed_at,
      trace: trace!,
      security: await readSettings(tx, 'security'),
      signingKid: services.tokens.currentKid,
    } as const
    const started = await startSession(tx, start, now)
    if (!started) return undefined

    await noteSuccess(tx, account, id, now)
    await settleAttempt(tx, throttles, 'succeeded')
    return await issueFor(tx, account, started)
  })
}

async function noteSuccess(tx: TenantTx, account: Account, sessionId: string, now: Date): Promise<void> {
  const { trace } = actorOf(tx)
  if (account.notify_new_device && (await isNewDevice(tx, account.id)))
    await sendSecurityNoticeLater(tx, account.id, 'new_device', { device: deviceOf(trace!.userAgent), ip: trace!.ip })
  await recordLogin(tx, { userId: account.id, email: account.email, outcome: 'success', method: 'password', sessionId })
  await markLoggedIn(tx, account.id, now)
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

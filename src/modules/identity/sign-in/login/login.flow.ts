import { availableParallelism } from 'node:os'
import type { Actor } from '#platform/access'
import { recordAuditDenial } from '#platform/audit'
import { daysLater } from '#platform/clock'
import { createSemaphore, QueueFullError } from '#platform/concurrency'
import { actorOf, type TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { newId } from '#platform/ids'
import { networkPrefixOf } from '#platform/limits'
import { emit } from '#platform/outbox'
import { hashPassword, needsRehash, verifyPassword } from '../../credentials/passwords/password-hash.ts'
import { loginThrottles, type Throttle } from '../../credentials/throttles/throttles.rules.ts'
import { reserveAttempt, retryWhilePending, settleAttempt } from '../../credentials/throttles/throttles.service.ts'
import { type AuthServices, createUserActor, type InTenant } from '../../credentials/tokens/auth-services.ts'
import type { TokenResponse } from '../../credentials/tokens/token-response.schemas.ts'
import { createTokenResponse, type SessionGrant } from '../../credentials/tokens/token-response.ts'
import { loginFailedRepeatedly } from '../../identity.events.ts'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import type { SsoSettings } from '../../workspace/settings/settings.schemas.ts'
import {
  findLoginAccountByEmail,
  type LoginAccount,
  replacePasswordHash,
} from '../../workspace/user-records/login-accounts.queries.ts'
import { emailKeyOf, invalidCredentials, type LoginRefusal, loginRefusalOf } from './login.rules.ts'
import type { Credentials } from './login.schemas.ts'
import { hasLoggedInFrom } from './login-events.queries.ts'
import { recordLoginEvent } from './login-events.service.ts'
import { createLoginSession } from './login-session.service.ts'

type Attempt = {
  tenantId: string
  email: string
  requestActor: Actor
  account: LoginAccount | undefined
  sso: SsoSettings
  throttles: Throttle[]
}

// Separate semaphores before and after the password check, so a login flood cannot exhaust the connection pool.
const concurrency = Math.max(1, availableParallelism() >> 1)
const startSemaphore = createSemaphore({ concurrency, maxQueued: 200 })
const finishSemaphore = createSemaphore({ concurrency, maxQueued: Number.POSITIVE_INFINITY })

/**
 * Uses several transactions, so that no connection is held during the password check.
 * An unknown email takes the same path, so timing does not reveal accounts.
 */
export async function logIn(
  services: AuthServices,
  inTenant: InTenant,
  tenantId: string,
  credentials: Credentials,
): Promise<TokenResponse> {
  const finish = <T>(work: (tx: TenantTx) => Promise<T>) => finishSemaphore(tenantId, () => inTenant(work))
  const attempt = await startAttempt(services, inTenant, tenantId, credentials.email)
  const outcome = await checkAndCreateSession(services, attempt, credentials.password).catch(async (error: unknown) => {
    await finish((tx) => settleAttempt(tx, attempt.throttles, 'abandoned')).catch(() => {})
    throw error
  })
  if ('error' in outcome) {
    await finish((tx) => recordFailure(tx, attempt, outcome.reason))
    throw outcome.error
  }
  await upgradeHash(services, attempt, credentials.password)
  return await createTokenResponse(services, outcome)
}

async function startAttempt(
  { clock }: AuthServices,
  inTenant: InTenant,
  tenantId: string,
  email: string,
): Promise<Attempt> {
  const emailKey = emailKeyOf(email)
  let account: LoginAccount | undefined
  const reserve = () =>
    inTenant(async (tx): Promise<Attempt> => {
      const now = clock.now()
      const requestActor = actorOf(tx)
      const ip = requestActor.trace!.ip
      account = await findLoginAccountByEmail(tx, emailKey)
      const isKnownNetwork = await hasLoggedInFrom(tx, account?.id ?? null, networkPrefixOf(ip), daysLater(now, -30))
      const sso = await readSettings(tx, 'sso')
      const throttles = loginThrottles({ tenantId, emailKey, ip, isKnownNetwork })
      await reserveAttempt(tx, throttles, now)
      return { tenantId, email, requestActor, account, sso, throttles }
    })
  return await retryWhilePending(() => startSemaphore(tenantId, reserve)).catch(async (error: unknown) => {
    if (error instanceof AppError && !(error instanceof QueueFullError))
      await finishSemaphore(tenantId, () =>
        inTenant((tx) => recordFailure(tx, { email, account, throttles: [] }, 'throttled')),
      )
    throw error
  })
}

async function checkAndCreateSession(
  services: AuthServices,
  attempt: Attempt,
  password: string,
): Promise<SessionGrant | LoginRefusal> {
  const { tenantId, account, sso } = attempt
  const isCorrect = await verifyPassword(tenantId, password, account?.password_hash ?? null)
  if (!account || !isCorrect)
    return { reason: account ? 'wrong_password' : 'unknown_email', error: invalidCredentials() }
  const refusal = loginRefusalOf(account, sso, services.clock.now())
  if (refusal) return refusal
  const grant = await finishSemaphore(tenantId, () => createSessionAs(services, attempt, account))
  return grant ?? { reason: 'password_changed', error: invalidCredentials() }
}

function createSessionAs(
  services: AuthServices,
  { tenantId, requestActor, throttles }: Attempt,
  account: LoginAccount,
): Promise<SessionGrant | undefined> {
  const { trace } = requestActor
  const actor = createUserActor({ tenantId, userId: account.id, role: account.role, sessionId: newId(), trace })
  return services.inTenantAs(actor, async (tx) => {
    const grant = await createLoginSession(services, tx, account, 'password')
    if (grant) await settleAttempt(tx, throttles, 'succeeded')
    return grant
  })
}

/** Only these failures count against the throttles; a rejected login with the correct password does not. */
const countedFailures = new Set(['wrong_password', 'unknown_email', 'password_changed'])

async function recordFailure(
  tx: TenantTx,
  { email, account, throttles }: Pick<Attempt, 'email' | 'account' | 'throttles'>,
  reason: string,
): Promise<void> {
  const userId = account?.id ?? null
  const loginId = await recordLoginEvent(tx, { userId, email, outcome: 'failure', reason, method: 'password' })
  await recordAuditDenial(tx, 'login.failed', { id: userId, reason })
  const { isLimitReached } = await settleAttempt(tx, throttles, countedFailures.has(reason) ? 'failed' : 'abandoned')
  if (isLimitReached) await emit(tx, loginFailedRepeatedly, { id: loginId }, { user_id: userId })
}

/** Upgrades the hash while the password is available. A failure is only logged; the next login tries again. */
async function upgradeHash(
  { inTenantAs, log }: AuthServices,
  { tenantId, account, requestActor }: Attempt,
  password: string,
): Promise<void> {
  const oldHash = account?.password_hash
  if (!account || !oldHash || !needsRehash(oldHash)) return
  try {
    const newHash = await hashPassword(tenantId, password)
    await inTenantAs(requestActor, (tx) => replacePasswordHash(tx, account.id, oldHash, newHash))
  } catch (error) {
    log.warn({ err: error, user_id: account.id }, 'rehashing a password failed')
  }
}

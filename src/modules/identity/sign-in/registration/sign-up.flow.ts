import { recordAuditDenial } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { AppError, rateLimited } from '#platform/errors'
import type { Workspace } from '#platform/http'
import { newId } from '#platform/ids'
import { rateLimitHeaders } from '#platform/limits'
import { assertAcceptablePassword } from '../../credentials/passwords/password.rules.ts'
import { hashPassword } from '../../credentials/passwords/password-hash.ts'
import type { AuthServices, InTenant } from '../../credentials/tokens/auth-services.ts'
import type { TokenResponse } from '../../credentials/tokens/token-response.schemas.ts'
import { createTokenResponse, getSessionGrant, type SessionGrant } from '../../credentials/tokens/token-response.ts'
import { createUserRecord, emailTaken } from '../../users/users/create-user-row.service.ts'
import { markLoggedIn } from '../../workspace/sessions/sessions.queries.ts'
import { createSession } from '../../workspace/sessions/sessions.service.ts'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import { findLoginAccount } from '../../workspace/user-records/login-accounts.queries.ts'
import { findUserIdByEmail } from '../../workspace/user-records/users.queries.ts'
import { signupTenantLimit } from '../current-session/auth-limits.ts'
import { recordLoginEvent } from '../login/login-events.service.ts'
import { assertSignupPolicy } from './registration.rules.ts'
import type { SignUpInput } from './registration.schemas.ts'
import { sendVerificationLater } from './verification.jobs.ts'

/** Uses two transactions, so that no connection is held while the password is hashed. */
export async function signUp(
  services: AuthServices,
  open: InTenant,
  tenant: Workspace,
  input: SignUpInput,
): Promise<TokenResponse> {
  await open((tx) => assertSignUpAllowed(tx, tenant, input)).catch(async (error: unknown) => {
    if (error instanceof AppError && error.status === 403) await open((tx) => recordRefusal(tx, error.code))
    throw error
  })
  const grant = await spendTenantAllowance(services, tenant.id, async () => {
    const hash = await hashPassword(tenant.id, input.password)
    return await open((tx) => createSignedUpUser(services, tx, input, hash))
  })
  return await createTokenResponse(services, grant)
}

/** Counts only sign-ups that the policy allows, so that refused ones do not use up the allowance of the workspace. */
async function spendTenantAllowance<T>({ limits }: AuthServices, tenantId: string, work: () => Promise<T>): Promise<T> {
  const bucket = { ...signupTenantLimit, key: tenantId }
  const taken = await limits.take(bucket)
  if (!taken.allowed)
    throw rateLimited(
      taken.resetSeconds,
      (wait) => `This workspace has accepted too many sign-ups today. Try again in ${wait}.`,
      rateLimitHeaders([taken]),
    )
  return await work().catch(async (error: unknown) => {
    await limits.refund([bucket])
    throw error
  })
}

async function assertSignUpAllowed(
  tx: TenantTx,
  { slug, name: tenantName }: Workspace,
  { email, name, password }: SignUpInput,
) {
  await readAndAssertPolicy(tx, email)
  const { password_min_length: minLength } = await readSettings(tx, 'security')
  assertAcceptablePassword(password, { minLength, slug, tenantName, email, name }, '/password')
  if (await findUserIdByEmail(tx, email)) throw await emailTaken(tx, email)
}

const recordRefusal = (tx: TenantTx, reason: string) => recordAuditDenial(tx, 'user.created', { id: null, reason })

async function readAndAssertPolicy(tx: TenantTx, email: string) {
  const signup = await readSettings(tx, 'signup')
  assertSignupPolicy({ signup, sso: await readSettings(tx, 'sso') }, email)
  return signup
}

/** Checks the policy again, because it may have changed during the hashing. */
async function createSignedUpUser(
  { clock, tokens }: AuthServices,
  tx: TenantTx,
  input: SignUpInput,
  hash: string,
): Promise<SessionGrant> {
  const now = clock.now()
  const { email, name } = input
  const { default_role: role } = await readAndAssertPolicy(tx, email)
  const password = { hash, changed_at: now }
  const user = await createUserRecord(tx, { email, name, role, source: 'signup', status: 'active', password })

  const account = (await findLoginAccount(tx, user.id))!
  const sessionId = newId()
  const session = await createSession(
    tx,
    {
      id: sessionId,
      user: account,
      method: 'signup',
      passwordChangedAt: account.password_changed_at,
      trace: actorOf(tx).trace!,
      security: await readSettings(tx, 'security'),
      signingKid: tokens.currentKid,
    },
    now,
  )
  await recordLoginEvent(tx, { userId: user.id, email, outcome: 'success', method: 'signup', sessionId })
  await markLoggedIn(tx, user.id, now)
  await sendVerificationLater(tx, user.id)
  return await getSessionGrant(tx, account, session!)
}

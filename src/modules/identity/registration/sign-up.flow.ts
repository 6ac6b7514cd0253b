import { recordDenied } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import type { Workspace } from '#platform/http'
import { newId } from '#platform/ids'
import { findAccount } from '../auth/accounts.queries.ts'
import type { TokenResponse } from '../auth/auth.schemas.ts'
import type { AuthServices, InTenant } from '../auth/auth-services.ts'
import { recordLogin } from '../auth/login-events.service.ts'
import { assertAcceptablePassword } from '../auth/password.rules.ts'
import { hashPassword } from '../auth/passwords.ts'
import { type Issue, issueFor, tokenResponse } from '../auth/token-response.ts'
import { markLoggedIn } from '../sessions/sessions.queries.ts'
import { startSession } from '../sessions/sessions.service.ts'
import { readSettings } from '../settings/settings.queries.ts'
import { findUserIdByEmail } from '../users/users.queries.ts'
import { addressTaken, addUser } from '../users/users.service.ts'
import { assertMaySignUp } from './registration.rules.ts'
import type { SignUp } from './registration.schemas.ts'
import { sendVerificationLater } from './verification.jobs.ts'

/** Somebody joins by themselves and is signed in. No connection waits while the password is hashed. */
export async function signUp(
  services: AuthServices,
  open: InTenant,
  tenant: Workspace,
  given: SignUp,
): Promise<TokenResponse> {
  await open((tx) => assertWelcome(tx, tenant, given)).catch(async (error: unknown) => {
    if (error instanceof AppError && error.status === 403) await open((tx) => noteRefusal(tx, error.code))
    throw error
  })
  const hash = await hashPassword(given.password)
  const issue = await open((tx) => join(services, tx, given, hash))
  return await tokenResponse(services, issue)
}

async function assertWelcome(tx: TenantTx, { slug, name: tenantName }: Workspace, { email, name, password }: SignUp) {
  await readPolicy(tx, email)
  const { password_min_length: minLength } = await readSettings(tx, 'security')
  assertAcceptablePassword(password, { minLength, slug, tenantName, email, name }, '/password')
  if (await findUserIdByEmail(tx, email)) throw await addressTaken(tx, email)
}

const noteRefusal = (tx: TenantTx, reason: string) => recordDenied(tx, 'user.created', { id: null, reason })

async function readPolicy(tx: TenantTx, email: string) {
  const signup = await readSettings(tx, 'signup')
  assertMaySignUp({ signup, sso: await readSettings(tx, 'sso') }, email)
  return signup
}

/** The policy is asked again: an admin may have closed the door meanwhile. */
async function join({ clock, tokens }: AuthServices, tx: TenantTx, given: SignUp, hash: string): Promise<Issue> {
  const now = clock.now()
  const { email, name } = given
  const { default_role: role } = await readPolicy(tx, email)
  const password = { hash, changed_at: now }
  const user = await addUser(tx, { email, name, role, source: 'signup', status: 'active', password })

  const account = (await findAccount(tx, user.id))!
  const sessionId = newId()
  const started = await startSession(
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
  await recordLogin(tx, { userId: user.id, email, outcome: 'success', method: 'signup', sessionId })
  await markLoggedIn(tx, user.id, now)
  await sendVerificationLater(tx, user.id)
  return await issueFor(tx, account, started!)
}

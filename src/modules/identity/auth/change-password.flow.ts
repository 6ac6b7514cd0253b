import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { type AppError, conflict, invalid } from '#platform/errors'
import type { Workspace } from '#platform/http'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { revokeKeysOf } from '../api-keys/api-keys.service.ts'
import { userPasswordChanged } from '../identity.events.ts'
import { endSessionsOf, startSession } from '../sessions/sessions.service.ts'
import { readSettings } from '../settings/settings.queries.ts'
import { replacePassword } from '../users/credentials.queries.ts'
import { changeUserFields } from '../users/users.queries.ts'
import { type Account, findAccount, lockAccount } from './accounts.queries.ts'
import { sendSecurityNoticeLater } from './auth.jobs.ts'
import type { PasswordChange } from './auth.schemas.ts'
import { type AuthServices, actorFor } from './auth-services.ts'
import { markTokensUsed } from './one-time-tokens.queries.ts'
import { assertAcceptablePassword, assertOtherPassword } from './password.rules.ts'
import { hashPassword } from './passwords.ts'
import { provePassword } from './prove-password.flow.ts'
import { issueFor, tokenResponse } from './token-response.ts'

type Asking = { actor: SignedIn; tenant: Workspace }

/** Everybody who is signed in with the old password is signed out; whoever changed it goes on with the pair in the answer. */
export async function changePassword(services: AuthServices, asking: Asking, change: PasswordChange) {
  const account = await readAccount(services, asking, change)
  const { actor } = asking
  if (!(await provePassword(services, { actor, account, password: change.current_password }))) throw mismatch()
  const hash = await hashPassword(change.new_password)

  const changed = await store(services, asking, account, { hash, revokesKeys: change.revoke_api_keys ?? false })
  const { issue, sessions_revoked, api_keys_revoked } = changed
  return { ...(await tokenResponse(services, issue)), sessions_revoked, api_keys_revoked }
}

function readAccount({ inNameOf }: AuthServices, { actor, tenant }: Asking, change: PasswordChange): Promise<Account> {
  return inNameOf(actor, async (tx) => {
    const account = await findAccount(tx, actor.userId)
    if (!account?.password_hash)
      throw conflict('conflict', 'You sign in without a password. Ask for a link to choose one, if you want to.')
    const { password_min_length: minLength } = await readSettings(tx, 'security')
    const { email, name } = account
    assertAcceptablePassword(change.new_password, {
      minLength,
      slug: tenant.slug,
      tenantName: tenant.name,
      email,
      name,
    })
    assertOtherPassword(change.new_password === change.current_password)
    return account
  })
}

const mismatch = (): AppError => invalid('body', '/current_password', 'mismatch', 'This is not your present password.')

type Choice = { hash: string; revokesKeys: boolean }

function store(services: AuthServices, { actor }: Asking, proven: Account, { hash, revokesKeys }: Choice) {
  const now = services.clock.now()
  const id = newId()
  const { tenantId, trace } = actor
  const renewed = actorFor({ tenantId, userId: proven.id, role: proven.role, sessionId: id, trace })
  return services.inNameOf(renewed, async (tx) => {
    const account = await lockAccount(tx, proven.id)
    // Whoever was quicker has chosen another password meanwhile, and this session ended with it.
    if (account?.status !== 'active' || account.password_changed_at !== proven.password_changed_at) throw mismatch()

    await setPassword(tx, account, hash, now)
    const sessions_revoked = await endSessionsOf(tx, account.id, 'password_changed')
    const api_keys_revoked = revokesKeys ? await revokeKeysOf(tx, account.id, 'password_changed') : 0
    const { password_changed_at } = (await findAccount(tx, account.id))!
    const started = await startSession(
      tx,
      {
        id,
        user: account,
        method: 'password',
        passwordChangedAt: password_changed_at,
        trace: trace!,
        security: await readSettings(tx, 'security'),
        signingKid: services.tokens.currentKid,
      },
      now,
    )
    const issue = await issueFor(tx, { ...account, must_change_password: false }, started!)
    return { issue, sessions_revoked, api_keys_revoked }
  })
}

/** The same facts, whichever way a person came to choose a password. Links that were sent out before open nothing more. */
export async function setPassword(tx: TenantTx, account: Account, hash: string, now: Date): Promise<void> {
  await replacePassword(tx, account.id, { hash, changedAt: now, temporaryExpiresAt: null })
  await markTokensUsed(tx, account.id, ['password_reset', 'invite'], now)
  if (account.must_change_password) await changeUserFields(tx, account.id, { must_change_password: false })
  await record(tx, 'user.password_changed', { id: account.id, label: account.name })
  await emit(tx, userPasswordChanged, { id: account.id }, {})
  await sendSecurityNoticeLater(tx, account.id, 'password_changed', {})
}

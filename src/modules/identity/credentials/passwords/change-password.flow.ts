import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { type AppError, conflict, invalid } from '#platform/errors'
import type { Workspace } from '#platform/http'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { userPasswordChanged } from '../../identity.events.ts'
import { createSession, revokeSessionsOfUser } from '../../workspace/sessions/sessions.service.ts'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import { replacePassword } from '../../workspace/user-records/credentials.queries.ts'
import {
  findLoginAccount,
  type LoginAccount,
  lockLoginAccount,
} from '../../workspace/user-records/login-accounts.queries.ts'
import { updateUserRow } from '../../workspace/user-records/users.queries.ts'
import { revokeKeysOfUser } from '../api-keys/api-keys.service.ts'
import { sendSecurityNoticeLater } from '../emails/emails.jobs.ts'
import { type AuthServices, createUserActor } from '../tokens/auth-services.ts'
import { markOneTimeTokensUsed } from '../tokens/one-time-tokens.queries.ts'
import { createTokenResponse, getSessionGrant } from '../tokens/token-response.ts'
import { checkPassword } from './check-password.flow.ts'
import { assertAcceptablePassword, assertPasswordChanged } from './password.rules.ts'
import { hashPassword } from './password-hash.ts'
import type { PasswordChange } from './passwords.schemas.ts'

type PasswordChangeContext = { actor: UserActor; tenant: Workspace }

export async function changePassword(services: AuthServices, context: PasswordChangeContext, change: PasswordChange) {
  const account = await getChangeableAccount(services, context, change)
  const { actor } = context
  if (!(await checkPassword(services, { actor, account, password: change.current_password }))) throw passwordMismatch()
  const hash = await hashPassword(actor.tenantId, change.new_password)

  const changed = await storePassword(services, context, account, {
    hash,
    shouldRevokeKeys: change.revoke_api_keys ?? false,
  })
  const { grant, sessions_revoked, api_keys_revoked } = changed
  return { ...(await createTokenResponse(services, grant)), sessions_revoked, api_keys_revoked }
}

function getChangeableAccount(
  { inTenantAs }: AuthServices,
  { actor, tenant }: PasswordChangeContext,
  change: PasswordChange,
): Promise<LoginAccount> {
  return inTenantAs(actor, async (tx) => {
    const account = await findLoginAccount(tx, actor.userId)
    if (!account?.password_hash)
      throw conflict('conflict', 'Your account has no password. Use the password reset link to set one.')
    const { password_min_length: minLength } = await readSettings(tx, 'security')
    const { email, name } = account
    assertAcceptablePassword(change.new_password, {
      minLength,
      slug: tenant.slug,
      tenantName: tenant.name,
      email,
      name,
    })
    assertPasswordChanged(change.new_password === change.current_password)
    return account
  })
}

const passwordMismatch = (): AppError =>
  invalid('body', '/current_password', 'mismatch', 'The current password is incorrect.')

type NewPasswordHash = { hash: string; shouldRevokeKeys: boolean }

function storePassword(
  services: AuthServices,
  { actor }: PasswordChangeContext,
  verified: LoginAccount,
  { hash, shouldRevokeKeys }: NewPasswordHash,
) {
  const now = services.clock.now()
  const id = newId()
  const { tenantId, trace } = actor
  const newActor = createUserActor({ tenantId, userId: verified.id, role: verified.role, sessionId: id, trace })
  return services.inTenantAs(newActor, async (tx) => {
    const account = await lockLoginAccount(tx, verified.id)
    // A concurrent change replaced the password and revoked this session.
    if (account?.status !== 'active' || account.password_changed_at !== verified.password_changed_at)
      throw passwordMismatch()

    await setPassword(tx, account, hash, now)
    const sessions_revoked = await revokeSessionsOfUser(tx, account.id, 'password_changed')
    const api_keys_revoked = shouldRevokeKeys ? await revokeKeysOfUser(tx, account.id, 'password_changed') : 0
    const { password_changed_at } = (await findLoginAccount(tx, account.id))!
    const created = await createSession(
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
    const grant = await getSessionGrant(tx, { ...account, must_change_password: false }, created!)
    return { grant, sessions_revoked, api_keys_revoked }
  })
}

/** Invalidates password reset and invitation links that were sent before. */
export async function setPassword(tx: TenantTx, account: LoginAccount, hash: string, now: Date): Promise<void> {
  await replacePassword(tx, account.id, { hash, changedAt: now, temporaryExpiresAt: null })
  await markOneTimeTokensUsed(tx, account.id, ['password_reset', 'invite'], now)
  if (account.must_change_password) await updateUserRow(tx, account.id, { must_change_password: false })
  await recordAudit(tx, 'user.password_changed', { id: account.id, label: account.name })
  await emit(tx, userPasswordChanged, { id: account.id }, {})
  await sendSecurityNoticeLater(tx, account.id, 'password_changed', {})
}

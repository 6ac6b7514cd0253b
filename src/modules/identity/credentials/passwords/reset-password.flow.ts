import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import type { Workspace } from '#platform/http'
import { emit } from '#platform/outbox'
import { userActivated } from '../../identity.events.ts'
import { revokeSessionsOfUser } from '../../workspace/sessions/sessions.service.ts'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import {
  findLoginAccount,
  type LoginAccount,
  lockLoginAccount,
} from '../../workspace/user-records/login-accounts.queries.ts'
import { updateUserRow } from '../../workspace/user-records/users.queries.ts'
import type { AuthServices, InTenant } from '../tokens/auth-services.ts'
import { consumeOneTimeToken, getOneTimeToken, linkExpired } from '../tokens/one-time-tokens.service.ts'
import { setPassword } from './change-password.flow.ts'
import { assertAcceptablePassword, assertPasswordChanged } from './password.rules.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import type { PasswordReset } from './passwords.schemas.ts'

const kinds = ['password_reset', 'invite'] as const

export async function resetPasswordWithToken(
  { clock }: AuthServices,
  inTenant: InTenant,
  tenant: Workspace,
  { token, new_password }: PasswordReset,
) {
  const account = await inTenant(async (tx) => {
    const existing = await getAccountOfLink(tx, token, clock.now())
    const { password_min_length: minLength } = await readSettings(tx, 'security')
    const { email, name } = existing
    assertAcceptablePassword(new_password, { minLength, slug: tenant.slug, tenantName: tenant.name, email, name })
    return existing
  })
  if (account.password_hash) assertPasswordChanged(await verifyPassword(tenant.id, new_password, account.password_hash))
  const hash = await hashPassword(tenant.id, new_password)

  return await inTenant(async (tx) => {
    const now = clock.now()
    // Lock order: user, then tokens (avoids deadlocks).
    const locked = await lockLoginAccount(tx, account.id)
    await consumeOneTimeToken(tx, kinds, token, now)
    if (!isUsable(locked)) throw linkExpired()

    await activateAccount(tx, locked, now)
    await setPassword(tx, locked, hash, now)
    const sessions_revoked = await revokeSessionsOfUser(tx, account.id, 'password_reset')
    return { status: 'password_reset' as const, sessions_revoked }
  })
}

/** Rejects a link that is unknown, used or expired, or whose account can no longer sign in. */
export async function getAccountOfLink(tx: TenantTx, token: string, now: Date): Promise<LoginAccount> {
  const { user_id } = await getOneTimeToken(tx, kinds, token, now)
  const account = await findLoginAccount(tx, user_id)
  if (!isUsable(account)) throw linkExpired()
  return account
}

const isUsable = (account: LoginAccount | undefined): account is LoginAccount =>
  account?.status === 'active' || account?.status === 'invited'

export async function activateAccount(tx: TenantTx, account: LoginAccount, now: Date): Promise<void> {
  const isInvited = account.status === 'invited'
  if (!isInvited && account.email_verified_at) return
  const verified = { email_verified_at: account.email_verified_at ?? now }
  const changed = await updateUserRow(tx, account.id, { ...verified, ...(isInvited && { status: 'active' }) })
  if (!isInvited) return
  await recordAudit(tx, 'user.activated', {
    id: account.id,
    label: account.name,
    before: { status: 'invited' },
    after: { status: 'active' },
  })
  await emit(tx, userActivated, changed, {})
}

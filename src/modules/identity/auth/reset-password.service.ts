import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import type { Workspace } from '#platform/http'
import { emit } from '#platform/outbox'
import { userActivated } from '../identity.events.ts'
import { endSessionsOf } from '../sessions/sessions.service.ts'
import { readSettings } from '../settings/settings.queries.ts'
import { changeUserFields } from '../users/users.queries.ts'
import { type Account, findAccount, lockAccount } from './accounts.queries.ts'
import type { PasswordReset } from './auth.schemas.ts'
import type { AuthServices, InTenant } from './auth-services.ts'
import { setPassword } from './change-password.flow.ts'
import { getOneTimeToken, linkExpired, useOneTimeToken } from './one-time-tokens.service.ts'
import { assertAcceptablePassword, assertOtherPassword } from './password.rules.ts'
import { hashPassword, verifyPassword } from './passwords.ts'

const kinds = ['password_reset', 'invite'] as const

/** Whoever holds the link chooses the password. It does not sign them in. */
export async function resetPasswordByLink(
  { clock }: AuthServices,
  open: InTenant,
  tenant: Workspace,
  { token, new_password }: PasswordReset,
) {
  const account = await open(async (tx) => {
    const { user_id } = await getOneTimeToken(tx, kinds, token, clock.now())
    const found = await findOpenAccount(tx, user_id)
    const { password_min_length: minLength } = await readSettings(tx, 'security')
    const { email, name } = found
    assertAcceptablePassword(new_password, { minLength, slug: tenant.slug, tenantName: tenant.name, email, name })
    return found
  })
  if (account.password_hash) assertOtherPassword(await verifyPassword(new_password, account.password_hash))
  const hash = await hashPassword(new_password)

  return await open(async (tx) => {
    const now = clock.now()
    // The person first, then their tokens: the order in which everybody else takes them.
    const locked = await lockAccount(tx, account.id)
    await useOneTimeToken(tx, kinds, token, now)
    if (!isOpen(locked)) throw linkExpired()

    await openAccount(tx, locked, now)
    await setPassword(tx, locked, hash, now)
    const sessions_revoked = await endSessionsOf(tx, account.id, 'password_reset')
    return { status: 'password_reset' as const, sessions_revoked }
  })
}

/** A link to an account that was closed meanwhile leads nowhere. */
async function findOpenAccount(tx: TenantTx, userId: string): Promise<Account> {
  const account = await findAccount(tx, userId)
  if (!isOpen(account)) throw linkExpired()
  return account
}

const isOpen = (account: Account | undefined): account is Account =>
  account?.status === 'active' || account?.status === 'invited'

/** The address has turned out to be theirs. Whoever was invited has taken up their account with that. */
export async function openAccount(tx: TenantTx, account: Account, now: Date): Promise<void> {
  const isInvited = account.status === 'invited'
  if (!isInvited && account.email_verified_at) return
  const verified = { email_verified_at: account.email_verified_at ?? now }
  const changed = await changeUserFields(tx, account.id, { ...verified, ...(isInvited && { status: 'active' }) })
  if (!isInvited) return
  await record(tx, 'user.activated', {
    id: account.id,
    label: account.name,
    before: { status: 'invited' },
    after: { status: 'active' },
  })
  await emit(tx, userActivated, changed, {})
}

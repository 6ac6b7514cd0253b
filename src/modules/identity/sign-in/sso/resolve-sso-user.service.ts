import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { revokeKeysOfUser } from '../../credentials/api-keys/api-keys.service.ts'
import type { ProviderName } from '../../credentials/oidc/provider-clients.service.ts'
import { activateAccount } from '../../credentials/passwords/reset-password.flow.ts'
import { markOneTimeTokensUsed } from '../../credentials/tokens/one-time-tokens.queries.ts'
import { userUpdated } from '../../identity.events.ts'
import { createUserRecord } from '../../users/users/create-user-row.service.ts'
import { revokeSessionsOfUser } from '../../workspace/sessions/sessions.service.ts'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import type { SsoSettings } from '../../workspace/settings/settings.schemas.ts'
import { replacePassword } from '../../workspace/user-records/credentials.queries.ts'
import {
  findLoginAccount,
  findLoginAccountByEmail,
  type LoginAccount,
  lockLoginAccount,
} from '../../workspace/user-records/login-accounts.queries.ts'
import { findUser, updateUserRow } from '../../workspace/user-records/users.queries.ts'
import { emailKeyOf } from '../login/login.rules.ts'
import { findIdentity, insertIdentity, updateIdentityRow } from './sso.queries.ts'
import {
  isEmailTrusted,
  isHostedDomainAllowed,
  isProvisioningAllowed,
  type SsoError,
  type SsoProfile,
} from './sso-profile.rules.ts'

type ProviderSignIn = { provider: ProviderName; issuer: string; profile: SsoProfile }
type ResolvedUser = { account: LoginAccount; ssoError?: undefined } | { ssoError: SsoError; account?: LoginAccount }

/** Finds the user by linked identity, then by email address, then creates one if just-in-time provisioning is enabled. */
export async function resolveSsoUser(tx: TenantTx, signIn: ProviderSignIn, now: Date): Promise<ResolvedUser> {
  const sso = await readSettings(tx, 'sso')
  const { provider, profile } = signIn
  if (!isHostedDomainAllowed(provider, profile, sso)) return { ssoError: 'domain_not_allowed' }
  const resolved = (await findLinkedUser(tx, signIn)) ?? (await resolveByEmail(tx, signIn, sso, now))
  if (!resolved.ssoError) await updateIdentityRow(tx, identityOf(signIn), profile.email, now)
  return resolved
}

const identityOf = ({ provider, issuer, profile }: ProviderSignIn) => ({ provider, issuer, subject: profile.subject })

async function findLinkedUser(tx: TenantTx, signIn: ProviderSignIn): Promise<ResolvedUser | undefined> {
  const identity = await findIdentity(tx, identityOf(signIn))
  if (!identity) return undefined
  const account = (await lockLoginAccount(tx, identity.user_id))!
  return account.status === 'active' ? { account } : { ssoError: 'account_disabled', account }
}

async function resolveByEmail(
  tx: TenantTx,
  signIn: ProviderSignIn,
  sso: SsoSettings,
  now: Date,
): Promise<ResolvedUser> {
  const { provider, profile } = signIn
  const { email } = profile
  if (!email || !isEmailTrusted(provider, profile, sso)) return { ssoError: 'email_unverified' }
  const existing = await findLoginAccountByEmail(tx, emailKeyOf(email))
  return existing
    ? await linkAccount(tx, signIn, existing.id, email, now)
    : await provisionUser(tx, signIn, sso, email, now)
}

async function linkAccount(
  tx: TenantTx,
  signIn: ProviderSignIn,
  userId: string,
  email: string,
  now: Date,
): Promise<ResolvedUser> {
  const account = await lockLoginAccount(tx, userId)
  if (!account || account.status === 'erased') return { ssoError: 'account_not_found' }
  if (account.status === 'deactivated') return { ssoError: 'account_disabled', account }

  if (!(await insertIdentity(tx, { ...identityOf(signIn), user_id: userId, email }))) {
    const identity = await findIdentity(tx, identityOf(signIn))
    // The same email address with another subject is a different provider account.
    return identity?.user_id === userId ? { account } : { ssoError: 'account_not_found', account }
  }
  if (!account.email_verified_at) await revokeUnverifiedAccess(tx, account, now)
  if (account.status === 'invited') await markOneTimeTokensUsed(tx, userId, ['invite'], now)
  await activateAccount(tx, account, now)
  await recordAudit(tx, 'user.sso_linked', { id: userId, label: account.name, after: { provider: signIn.provider } })
  await emit(tx, userUpdated, (await findUser(tx, userId))!, { changed: ['auth_methods'] })
  return { account: (await findLoginAccount(tx, userId))! }
}

/** An unverified account may have been created by a third party, so its password, sessions and keys are revoked. */
async function revokeUnverifiedAccess(
  tx: TenantTx,
  { id, name, password_hash }: LoginAccount,
  now: Date,
): Promise<void> {
  if (password_hash) {
    await replacePassword(tx, id, { hash: null, changedAt: now, temporaryExpiresAt: null })
    await updateUserRow(tx, id, { must_change_password: false })
    await recordAudit(tx, 'user.password_removed', { id, label: name, reason: 'The email address was never verified.' })
  }
  await revokeSessionsOfUser(tx, id, 'sso_linked')
  await revokeKeysOfUser(tx, id, 'sso_linked')
}

async function provisionUser(
  tx: TenantTx,
  signIn: ProviderSignIn,
  sso: SsoSettings,
  email: string,
  now: Date,
): Promise<ResolvedUser> {
  if (!sso.jit_provisioning) return { ssoError: 'account_not_found' }
  const { provider, profile } = signIn
  if (!isProvisioningAllowed(provider, email, sso, await readSettings(tx, 'signup')))
    return { ssoError: 'domain_not_allowed' }
  const { id } = await createUserRecord(tx, {
    email,
    name: profile.name,
    role: sso.default_role,
    source: provider,
    status: 'active',
    email_verified_at: now,
  })
  await insertIdentity(tx, { ...identityOf(signIn), user_id: id, email })
  return { account: (await findLoginAccount(tx, id))! }
}

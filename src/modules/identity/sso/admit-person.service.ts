import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { revokeKeysOf } from '../api-keys/api-keys.service.ts'
import { type Account, findAccount, findAccountByEmail, lockAccount } from '../auth/accounts.queries.ts'
import { markTokensUsed } from '../auth/one-time-tokens.queries.ts'
import { openAccount } from '../auth/reset-password.service.ts'
import { userUpdated } from '../identity.events.ts'
import { endSessionsOf } from '../sessions/sessions.service.ts'
import { readSettings } from '../settings/settings.queries.ts'
import type { SsoSettings } from '../settings/settings.schemas.ts'
import { replacePassword } from '../users/credentials.queries.ts'
import { changeUserFields, findUser } from '../users/users.queries.ts'
import { addUser } from '../users/users.service.ts'
import { isAddressProven, isFromAllowedDomain, mayJoin, type Person } from './person.rules.ts'
import { findIdentity, insertIdentity, touchIdentity } from './sso.queries.ts'
import type { SsoError } from './sso.rules.ts'
import type { ProviderName } from './sso.schemas.ts'

type Arrival = { provider: ProviderName; issuer: string; person: Person }
type Admitted = { account: Account; refused?: undefined } | { refused: SsoError; account?: Account }

/** Whose account it is: the one known by this identity, else the one with this address, else a new one where that is wanted. */
export async function admitPerson(tx: TenantTx, arrival: Arrival, now: Date): Promise<Admitted> {
  const sso = await readSettings(tx, 'sso')
  const { provider, person } = arrival
  if (!isFromAllowedDomain(provider, person, sso)) return { refused: 'domain_not_allowed' }
  const admitted = (await admitKnown(tx, arrival)) ?? (await admitByAddress(tx, arrival, sso, now))
  if (!admitted.refused) await touchIdentity(tx, identityOf(arrival), person.email, now)
  return admitted
}

const identityOf = ({ provider, issuer, person }: Arrival) => ({ provider, issuer, subject: person.subject })

async function admitKnown(tx: TenantTx, arrival: Arrival): Promise<Admitted | undefined> {
  const known = await findIdentity(tx, identityOf(arrival))
  if (!known) return undefined
  const account = (await lockAccount(tx, known.user_id))!
  return account.status === 'active' ? { account } : { refused: 'account_disabled', account }
}

async function admitByAddress(tx: TenantTx, arrival: Arrival, sso: SsoSettings, now: Date): Promise<Admitted> {
  const { provider, person } = arrival
  const { email } = person
  if (!email || !isAddressProven(provider, person, sso)) return { refused: 'email_unverified' }
  const existing = await findAccountByEmail(tx, email)
  return existing
    ? await linkAccount(tx, arrival, existing.id, email, now)
    : await addAccount(tx, arrival, sso, email, now)
}

async function linkAccount(
  tx: TenantTx,
  arrival: Arrival,
  userId: string,
  email: string,
  now: Date,
): Promise<Admitted> {
  const account = await lockAccount(tx, userId)
  if (!account || account.status === 'erased') return { refused: 'account_not_found' }
  if (account.status === 'deactivated') return { refused: 'account_disabled', account }

  if (!(await insertIdentity(tx, { ...identityOf(arrival), user_id: userId, email }))) {
    const known = await findIdentity(tx, identityOf(arrival))
    // The same address under another subject is another person, as far as the provider is concerned.
    return known?.user_id === userId ? { account } : { refused: 'account_not_found', account }
  }
  if (!account.email_verified_at) await dropUnproven(tx, account, now)
  if (account.status === 'invited') await markTokensUsed(tx, userId, ['invite'], now)
  await openAccount(tx, account, now)
  await record(tx, 'user.sso_linked', { id: userId, label: account.name, after: { provider: arrival.provider } })
  await emit(tx, userUpdated, (await findUser(tx, userId))!, { changed: ['auth_methods'] })
  return { account: (await findAccount(tx, userId))! }
}

/** Somebody may have waited here with this address, before its owner came. Whatever they had ends. */
async function dropUnproven(tx: TenantTx, { id, name, password_hash }: Account, now: Date): Promise<void> {
  if (password_hash) {
    await replacePassword(tx, id, { hash: null, changedAt: now, temporaryExpiresAt: null })
    await changeUserFields(tx, id, { must_change_password: false })
    await record(tx, 'user.password_removed', { id, label: name, reason: 'The address was never verified.' })
  }
  await endSessionsOf(tx, id, 'sso_linked')
  await revokeKeysOf(tx, id, 'sso_linked')
}

async function addAccount(
  tx: TenantTx,
  arrival: Arrival,
  sso: SsoSettings,
  email: string,
  now: Date,
): Promise<Admitted> {
  if (!sso.jit_provisioning) return { refused: 'account_not_found' }
  if (!mayJoin(email, await readSettings(tx, 'signup'))) return { refused: 'domain_not_allowed' }
  const { provider, person } = arrival
  const { id } = await addUser(tx, {
    email,
    name: person.name,
    role: sso.default_role,
    source: provider,
    status: 'active',
    email_verified_at: now,
  })
  await insertIdentity(tx, { ...identityOf(arrival), user_id: id, email })
  return { account: (await findAccount(tx, id))! }
}

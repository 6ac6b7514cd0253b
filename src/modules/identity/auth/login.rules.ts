import { type AppError, forbidden, unauthenticated } from '#platform/errors'
import type { SsoSettings } from '../settings/settings.schemas.ts'
import type { Account } from './accounts.queries.ts'
import { accountDisabled } from './admission.rules.ts'

export type Refusal = { reason: string; error: AppError }

/** The same for a wrong address and a wrong password. */
export const invalidCredentials = () =>
  unauthenticated('invalid_credentials', 'The e-mail address or the password is not right.')

/** Told only to whoever has the right password, so that nobody else learns what becomes of an account. */
export function refusalOf(account: Account, sso: SsoSettings, now: Date): Refusal | null {
  if (account.status === 'deactivated') return { reason: 'account_disabled', error: accountDisabled() }
  if (account.status !== 'active') return { reason: 'account_not_open', error: invalidCredentials() }
  if (account.temporary_expires_at && account.temporary_expires_at <= now)
    return {
      reason: 'temporary_password_expired',
      error: accountDisabled('The temporary password has expired. Ask an admin for a new one.'),
    }
  if (sso.enforced && account.role !== 'admin')
    return {
      reason: 'sso_required',
      error: forbidden('sso_required', 'This workspace wants you to sign in with single sign-on.'),
    }
  return null
}

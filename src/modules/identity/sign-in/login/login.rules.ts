import { type AppError, forbidden, unauthenticated } from '#platform/errors'
import type { SsoSettings } from '../../workspace/settings/settings.schemas.ts'
import type { LoginAccount } from '../../workspace/user-records/login-accounts.queries.ts'
import { accountDisabled } from '../../workspace/user-records/users.rules.ts'

/** Lowers ASCII letters only: JavaScript and PostgreSQL differ in others, which would give an account more attempts. */
export const emailKeyOf = (email: string): string => email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

export type LoginRefusal = { reason: string; error: AppError }

/** One error for an unknown email address and a wrong password, so that it does not reveal accounts. */
export const invalidCredentials = () =>
  unauthenticated('invalid_credentials', 'The email address or password is incorrect.')

/** Call only after the password was verified: the refusal reveals the state of the account. */
export function loginRefusalOf(account: LoginAccount, sso: SsoSettings, now: Date): LoginRefusal | null {
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
      error: forbidden('sso_required', 'This workspace requires single sign-on.'),
    }
  return null
}

/** Order matters: most user agents also contain the names of the browsers below them. */
const browsers: [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b|\biPad\b|\biPod\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Returns e.g. "Firefox on Windows", without versions, so that an update is not a new device. */
export function deviceOf(userAgent: string | null): string {
  if (!userAgent) return 'an unknown device'
  const browser = nameIn(browsers, userAgent) ?? userAgent.split(/[/\s;(]/, 1)[0]?.slice(0, 40) ?? ''
  const system = nameIn(systems, userAgent)
  if (!browser) return system ?? 'an unknown device'
  return system ? `${browser} on ${system}` : browser
}

const nameIn = (list: [RegExp, string][], text: string) => list.find(([pattern]) => pattern.test(text))?.[1]

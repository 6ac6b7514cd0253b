import type { Role, UserActor } from '#platform/access'
import { isTimeZone } from '#platform/calendar'
import { daysLater, secondsLater } from '#platform/clock'
import { forbidden, invalid } from '#platform/errors'
import { type Money, toMinor, toMoney } from '#platform/money'
import type { User, UserStatus } from './users.schemas.ts'

export type UserDetailsRow = Omit<
  User,
  'role' | 'status' | 'manager' | 'quarterly_quota' | 'teams' | 'auth_methods'
> & {
  role: string
  status: string
  manager_name: string | null
  quarterly_quota_minor: number | null
  teams: { id: string; name: string; role: string }[]
  has_password: boolean
  providers: string[]
}

export function toUser(row: UserDetailsRow, canSeePrivate: boolean, currency: string): User {
  const ifPrivate = <T>(value: T) => (canSeePrivate ? value : null)
  const { manager_id, manager_name, quarterly_quota_minor } = row
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role as Role,
    status: row.status as UserStatus,
    title: row.title,
    phone: row.phone,
    avatar_url: row.avatar_url,
    timezone: row.timezone,
    locale: row.locale,
    manager_id,
    manager: manager_id === null ? null : { id: manager_id, name: manager_name ?? '' },
    forecast_participant: row.forecast_participant,
    quarterly_quota: quarterly_quota_minor === null ? null : toMoney(quarterly_quota_minor, currency),
    teams: row.teams as User['teams'],
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
    email_verified_at: ifPrivate(row.email_verified_at),
    must_change_password: ifPrivate(row.must_change_password),
    auth_methods: ifPrivate(row.has_password ? ['password', ...row.providers] : row.providers),
    last_login_at: ifPrivate(row.last_login_at),
    last_seen_at: ifPrivate(row.last_seen_at),
    deactivated_at: ifPrivate(row.deactivated_at),
  }
}

export const canSeePrivateFields = ({ userId, role }: UserActor, id: string): boolean =>
  role === 'admin' || userId === id

export const isForecastParticipantByDefault = (role: Role): boolean => role === 'manager' || role === 'member'

function assertTimezone(timezone: string): void {
  if (!isTimeZone(timezone))
    throw invalid('body', '/timezone', 'timezone', '`timezone` must be an IANA time zone such as Europe/Berlin or UTC.')
}

function assertLocale(locale: string): void {
  try {
    Intl.getCanonicalLocales(locale)
  } catch {
    throw invalid('body', '/locale', 'locale', '`locale` must be a BCP 47 language tag such as en or pt-BR.')
  }
}

export function assertValidTimezoneAndLocale({ timezone, locale }: { timezone?: string; locale?: string }): void {
  if (timezone !== undefined) assertTimezone(timezone)
  if (locale !== undefined) assertLocale(locale)
}

/** Converts to minor units of the workspace currency. Null clears the quota; undefined keeps it. */
export function toQuotaMinor(quota: Money | null | undefined, currency: string): number | null | undefined {
  if (!quota) return quota
  const minor = toMinor(quota, currency, '/quarterly_quota')
  if (minor < 0)
    throw invalid('body', '/quarterly_quota/amount', 'minimum', '`quarterly_quota.amount` must not be negative.')
  return minor
}

export const temporaryPasswordExpiresAt = (now: Date): Date => secondsLater(now, 72 * 3_600)

export const inviteExpiresAt = (now: Date): Date => daysLater(now, 7)

export const accountDisabled = (message = 'This account is disabled. Ask an admin of the workspace.') =>
  forbidden('account_disabled', message)

/** `me` is the id of the caller. */
export const resolveOwnerId = (ownerId: string | undefined, { userId }: UserActor): string | undefined =>
  ownerId === 'me' ? userId : ownerId

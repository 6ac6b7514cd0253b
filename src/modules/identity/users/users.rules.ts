import { isDeepStrictEqual } from 'node:util'
import type { Role, SignedIn } from '#platform/access'
import { daysLater, secondsLater } from '#platform/clock'
import { invalid } from '#platform/errors'
import { type Money, toMinor, toMoney } from '#platform/money'
import { isTimeZone } from '../settings/settings.rules.ts'
import type { User, UserStatus } from './users.schemas.ts'

/** A user as it is read for people. */
export type SeenUser = Omit<User, 'role' | 'status' | 'manager' | 'quarterly_quota' | 'teams' | 'auth_methods'> & {
  role: string
  status: string
  manager_name: string | null
  quarterly_quota_minor: number | null
  teams: { id: string; name: string; role: string }[]
  has_password: boolean
  providers: string[]
}

/** What only the person and admins may know is null for everybody else. */
export function toUser(row: SeenUser, viewer: SignedIn, currency: string): User {
  const isPrivy = canSeePrivateFields(viewer, row.id)
  const privately = <T>(value: T) => (isPrivy ? value : null)
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
    email_verified_at: privately(row.email_verified_at),
    must_change_password: privately(row.must_change_password),
    auth_methods: privately(row.has_password ? ['password', ...row.providers] : row.providers),
    last_login_at: privately(row.last_login_at),
    last_seen_at: privately(row.last_seen_at),
    deactivated_at: privately(row.deactivated_at),
  }
}

export const canSeePrivateFields = ({ userId, role }: SignedIn, id: string): boolean =>
  role === 'admin' || userId === id

/** Who sells is part of the forecast unless it is said otherwise. */
export const isForecastByDefault = (role: Role): boolean => role === 'manager' || role === 'member'

/** Of the changes asked for, those that change something. */
export function realChanges<C extends object>(before: object, changes: C): Partial<C> {
  const known = before as Record<string, unknown>
  const differing = Object.entries(changes).filter(([field, value]) => !isDeepStrictEqual(known[field], value))
  return Object.fromEntries(differing) as Partial<C>
}

function assertTimezone(timezone: string): void {
  if (!isTimeZone(timezone))
    throw invalid('body', '/timezone', 'timezone', 'This is no time zone. Name one like Europe/Berlin or UTC.')
}

function assertLocale(locale: string): void {
  try {
    Intl.getCanonicalLocales(locale)
  } catch {
    throw invalid('body', '/locale', 'locale', 'This is no language. Name one like en or pt-BR.')
  }
}

/** What is wrong with a place or a language is told by name, whichever of the two is given. */
export function assertKnownPlace({ timezone, locale }: { timezone?: string; locale?: string }): void {
  if (timezone !== undefined) assertTimezone(timezone)
  if (locale !== undefined) assertLocale(locale)
}

/** In the workspace's own currency; undefined leaves the quota as it is. */
export function quotaInMinor(quota: Money | null | undefined, currency: string): number | null | undefined {
  if (!quota) return quota
  const minor = toMinor(quota, currency, '/quarterly_quota')
  if (minor < 0) throw invalid('body', '/quarterly_quota/amount', 'minimum', 'A quota is not less than zero.')
  return minor
}

/** An admin never chooses a password; the one given out ends by itself. */
export const temporaryPasswordEnds = (now: Date): Date => secondsLater(now, 72 * 3_600)

export const inviteEnds = (now: Date): Date => daysLater(now, 7)

import { grantsAccess, type Role, type UserActor } from '#platform/access'
import { daysLater } from '#platform/clock'
import { conflict, forbidden, invalid, roleRequired } from '#platform/errors'
import type { SecuritySettings } from '../../workspace/settings/settings.schemas.ts'
import { accountDisabled } from '../../workspace/user-records/users.rules.ts'
import type { ApiKeyRow } from './api-keys.queries.ts'
import type { ApiKey, NewApiKey } from './api-keys.schemas.ts'
import { effectiveScopes, type KeyScope, type Preset, wildcards } from './effective-scopes.rules.ts'

const maxKeysPerUser = 100
const maxKeysPerTenant = 1_000

export function assertCanCreateKeys(actor: UserActor, { api_key_policy }: SecuritySettings): void {
  if (actor.type === 'api_key')
    throw forbidden('session_required', 'This action requires a user session. API keys are not accepted.')
  if (api_key_policy === 'admins_only' && actor.role !== 'admin')
    throw roleRequired('Only admins can create API keys in this workspace.')
}

type Creator = { status: string; source: string; email_verified_at: Date | null }

/** Self-registered users must verify their email, even where the workspace does not require it. */
export function assertCanOwnKeys({ status, source, email_verified_at }: Creator): void {
  if (status !== 'active') throw accountDisabled()
  if (source === 'signup' && email_verified_at === null)
    throw forbidden('email_verification_required', 'Verify your email address before you create API keys.')
}

export function grantedScopesOf({ scopes, preset }: NewApiKey): KeyScope[] {
  if (scopes && preset === 'full')
    throw invalid(
      'body',
      '/scopes',
      'not_allowed',
      '`scopes` must not be set if `preset` is `full`, which has all scopes.',
    )
  if (scopes) return scopes as KeyScope[]
  if (preset === 'full') return [...wildcards]
  if (preset === 'read_only') return ['crm.read']
  throw invalid('body', '/scopes', 'required', '`scopes` is required unless `preset` is set.')
}

export const storedPresetOf = ({ preset }: NewApiKey): Preset => (preset === 'read_only' ? preset : null)

export function keyExpiryOf(
  { expires_at: value }: NewApiKey,
  { api_key_max_days: maxDays }: SecuritySettings,
  now: Date,
): Date | null {
  const rejected = (code: string, message: string) => invalid('body', '/expires_at', code, message)
  if (!value) {
    if (maxDays === null) return null
    throw rejected(
      'required',
      `\`expires_at\` is required: API keys of this workspace must expire within ${maxDays} days.`,
    )
  }
  const expiresAt = new Date(value.length === 10 ? `${value}T23:59:59.999Z` : value)
  if (expiresAt <= now) throw rejected('past', '`expires_at` must be in the future.')
  if (maxDays !== null && expiresAt > daysLater(now, maxDays))
    throw rejected('maximum', `\`expires_at\` must be within ${maxDays} days in this workspace.`)
  return expiresAt
}

export function assertKeyLimit(active: { own: number; all: number }): void {
  if (active.own >= maxKeysPerUser)
    throw conflict('conflict', `You already have ${maxKeysPerUser} active API keys. Revoke one first.`)
  if (active.all >= maxKeysPerTenant)
    throw conflict('conflict', `This workspace already has ${maxKeysPerTenant} active API keys. Revoke one first.`)
}

export const canSeeKey = ({ role, userId }: UserActor, key: { created_by: string }): boolean =>
  role === 'admin' || key.created_by === userId

type KeyLifetime = { expires_at: Date | null; revoked_at: Date | null }

export function keyStatusOf({ expires_at, revoked_at }: KeyLifetime, now: Date): ApiKey['status'] {
  if (revoked_at) return 'revoked'
  return expires_at && expires_at <= now ? 'expired' : 'active'
}

export function assertKeyActive(key: KeyLifetime, now: Date): void {
  const status = keyStatusOf(key, now)
  if (status !== 'active')
    throw conflict('conflict', `This API key is ${status} and cannot be changed. Create a new one.`)
}

export function toApiKey(row: ApiKeyRow, now: Date): ApiKey {
  const { connected_app_id, connected_app_name, created_by, creator_name, creator_role, requests_per_minute, ...key } =
    row
  const preset = key.preset as Preset
  const effective = effectiveScopes(key.scopes as KeyScope[], creator_role as Role, preset)
  return {
    ...key,
    preset,
    effective_scopes: [...effective].filter(grantsAccess).sort(),
    connected_app: connected_app_id ? { id: connected_app_id, name: connected_app_name ?? '' } : null,
    created_by: { id: created_by, name: creator_name },
    status: keyStatusOf(key, now),
  }
}

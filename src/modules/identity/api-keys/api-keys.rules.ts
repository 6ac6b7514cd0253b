import type { Role, SignedIn } from '#platform/access'
import { daysLater } from '#platform/clock'
import { conflict, forbidden, invalid, roleRequired } from '#platform/errors'
import { accountDisabled } from '../auth/admission.rules.ts'
import type { SecuritySettings } from '../settings/settings.schemas.ts'
import type { ApiKeyRow } from './api-keys.queries.ts'
import type { ApiKey, NewApiKey } from './api-keys.schemas.ts'
import { effectiveScopes, type KeyScope, type Preset } from './effective-scopes.rules.ts'

const maxLiveKeysPerUser = 100
const maxLiveKeysPerTenant = 1_000

export function assertMayMakeKeys(actor: SignedIn, { api_key_policy }: SecuritySettings): void {
  if (actor.type === 'api_key')
    throw forbidden('session_required', 'This needs a person who is signed in; an API key is not enough.')
  if (api_key_policy === 'admins_only' && actor.role !== 'admin')
    throw roleRequired('In this workspace only admins make API keys.')
}

type Creator = { status: string; source: string; email_verified_at: Date | null }

/** Whoever let themselves in proves their address first, also where the workspace does not ask for it otherwise. */
export function assertMayHoldKeys({ status, source, email_verified_at }: Creator): void {
  if (status !== 'active') throw accountDisabled()
  if (source === 'signup' && email_verified_at === null)
    throw forbidden('email_verification_required', 'Verify your e-mail address before you make API keys.')
}

/** A read-only key without scopes may read whatever its creator may read, today and later. */
export function scopesOf({ scopes, preset }: NewApiKey): KeyScope[] {
  if (scopes) return scopes as KeyScope[]
  if (preset === 'read_only') return ['crm.read']
  throw invalid('body', '/scopes', 'required', 'Say what the key may do: give scopes, or the preset read_only.')
}

/** A day means its end, in UTC. */
export function expiryOf(
  { expires_at: given }: NewApiKey,
  { api_key_max_days: maxDays }: SecuritySettings,
  now: Date,
): Date | null {
  const refuse = (code: string, message: string) => invalid('body', '/expires_at', code, message)
  if (!given) {
    if (maxDays === null) return null
    throw refuse('required', `In this workspace API keys expire within ${maxDays} days. Say when this one does.`)
  }
  const expiresAt = new Date(given.length === 10 ? `${given}T23:59:59.999Z` : given)
  if (expiresAt <= now) throw refuse('past', 'This moment is over. Choose one in the future.')
  if (maxDays !== null && expiresAt > daysLater(now, maxDays))
    throw refuse('maximum', `In this workspace API keys expire within ${maxDays} days.`)
  return expiresAt
}

export function assertRoomForKey(live: { own: number; all: number }): void {
  if (live.own >= maxLiveKeysPerUser)
    throw conflict('conflict', `You have ${maxLiveKeysPerUser} API keys already. Revoke one you no longer need.`)
  if (live.all >= maxLiveKeysPerTenant)
    throw conflict('conflict', `This workspace has ${maxLiveKeysPerTenant} API keys already. Revoke some first.`)
}

/** Their creator and admins know of keys; for everybody else they do not exist. */
export const canSeeKey = ({ role, userId }: SignedIn, key: { created_by: string }): boolean =>
  role === 'admin' || key.created_by === userId

type Life = { expires_at: Date | null; revoked_at: Date | null }

export function statusOf({ expires_at, revoked_at }: Life, now: Date): ApiKey['status'] {
  if (revoked_at) return 'revoked'
  return expires_at && expires_at <= now ? 'expired' : 'active'
}

/** There is no way back from the end of a key. */
export function assertStillActive(key: Life, now: Date): void {
  const status = statusOf(key, now)
  if (status !== 'active')
    throw conflict('conflict', `This API key is ${status}, so it cannot be changed any more. Make a new one.`)
}

/** As people see it: without the digest, and with what it may really do. */
export function toApiKey(row: ApiKeyRow, now: Date): ApiKey {
  const { connected_app_id, connected_app_name, created_by, creator_name, creator_role, requests_per_minute, ...key } =
    row
  const preset = key.preset as Preset
  return {
    ...key,
    preset,
    effective_scopes: [...effectiveScopes(key.scopes as KeyScope[], creator_role as Role, preset)].sort(),
    connected_app: connected_app_id ? { id: connected_app_id, name: connected_app_name ?? '' } : null,
    created_by: { id: created_by, name: creator_name },
    status: statusOf(key, now),
  }
}

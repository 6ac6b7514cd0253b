import { assertFreshLogin, type UserActor } from '#platform/access'
import { EgressError, toUrlInputError } from '#platform/egress'
import { conflict, forbidden, invalidInput } from '#platform/errors'
import type { ShownEndpointRow } from './webhook-endpoints.queries.ts'
import type { WebhookEndpoint } from './webhook-endpoints.schemas.ts'

export const maxEndpoints = 50

/** Query strings of webhook URLs, and long segments of their paths, often are tokens. */
export function maskUrl(url: string): string {
  const [, origin = '', path = '', rest = ''] = /^([^/]*\/\/[^/?#]*)([^?#]*)(.*)$/s.exec(url) ?? []
  const masked = path.replace(/[^/]{16,}/g, (segment) => (/\d/.test(segment) ? '…' : segment))
  return `${origin}${masked}${rest && `${rest[0]}…`}`
}

export const toEndpoint = (row: ShownEndpointRow, { canSeeTokens }: { canSeeTokens: boolean }): WebhookEndpoint => ({
  ...row,
  owner_id: ownerIdOf(row),
  url: canSeeTokens ? row.url : maskUrl(row.url),
  status: row.status as WebhookEndpoint['status'],
  disabled_reason: row.disabled_reason as WebhookEndpoint['disabled_reason'],
  breaker: row.breaker as WebhookEndpoint['breaker'],
})

export const canSeeTokens = ({ scopes }: UserActor): boolean => scopes.has('webhooks.write')

/** Rows of the previous version have no owner but their creator. */
export const ownerIdOf = ({ owner_id, created_by }: Pick<ShownEndpointRow, 'owner_id' | 'created_by'>) =>
  owner_id ?? created_by

/** For changes that let data flow to another server or in the name of another user. */
export function assertMayRedirect(actor: UserActor, now: Date): void {
  if (actor.type === 'api_key')
    throw forbidden('session_required', 'API keys cannot change the URL, event types or owner of an endpoint. Sign in.')
  assertFreshLogin(actor, now)
}

export function assertEndpointLimit(endpoints: number): void {
  if (endpoints >= maxEndpoints)
    throw conflict('conflict', `The workspace already has ${maxEndpoints} webhook endpoints. Delete one first.`)
}

export function assertHasSecret({ secret }: { secret: Buffer | null }): void {
  if (secret === null)
    throw conflict('conflict', 'The endpoint was imported without its secret. Rotate the secret, then enable it.')
}

/** Hides the whole path: any part of it may be a token, and entries of the audit log cannot be corrected later. */
export function auditedUrl(url: string): string {
  const [, origin = '', rest = ''] = /^([^/]*\/\/[^/?#]*)(.*)$/s.exec(url) ?? []
  return /^\/?$/.test(rest) ? url : `${origin}/…`
}

export const auditedFields = (endpoint: ShownEndpointRow) => {
  const { url, description, event_types, rate_per_second, status } = endpoint
  return { url: auditedUrl(url), description, event_types, rate_per_second, status, owner_id: ownerIdOf(endpoint) }
}

export const initialHealth = {
  breaker: 'closed',
  probes: 0,
  next_probe_at: null,
  consecutive_failures: 0,
  first_failure_at: null,
  warned_at: null,
} as const

export function toUrlProblem(error: unknown): unknown {
  return error instanceof EgressError ? invalidInput([toUrlInputError(error, '/url')]) : error
}

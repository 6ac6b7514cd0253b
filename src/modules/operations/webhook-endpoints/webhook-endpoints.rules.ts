import type { UserActor } from '#platform/access'
import { EgressError } from '#platform/egress'
import { conflict, invalid } from '#platform/errors'
import type { ShownEndpointRow } from './webhook-endpoints.queries.ts'
import type { WebhookEndpoint } from './webhook-endpoints.schemas.ts'

export const maxEndpoints = 50

/** Query strings of webhook URLs often contain tokens. */
export const maskQuery = (url: string): string => (url.includes('?') ? `${url.slice(0, url.indexOf('?'))}?…` : url)

export const toEndpoint = (row: ShownEndpointRow, { canSeeQuery }: { canSeeQuery: boolean }): WebhookEndpoint => ({
  ...row,
  url: canSeeQuery ? row.url : maskQuery(row.url),
  status: row.status as WebhookEndpoint['status'],
  disabled_reason: row.disabled_reason as WebhookEndpoint['disabled_reason'],
  breaker: row.breaker as WebhookEndpoint['breaker'],
})

export const canSeeQuery = ({ scopes }: UserActor): boolean => scopes.has('webhooks.write')

export function assertEndpointLimit(endpoints: number): void {
  if (endpoints >= maxEndpoints)
    throw conflict('conflict', `The workspace already has ${maxEndpoints} webhook endpoints. Delete one first.`)
}

export function assertHasSecret({ secret }: { secret: Buffer | null }): void {
  if (secret === null)
    throw conflict('conflict', 'The endpoint was imported without its secret. Rotate the secret, then enable it.')
}

/** Fields that are recorded in the audit log. */
export const auditedFields = ({ url, description, event_types, rate_per_second, status }: ShownEndpointRow) => ({
  ...{ url, description, event_types, rate_per_second, status },
})

export const initialHealth = {
  ...{ breaker: 'closed', probes: 0, next_probe_at: null, consecutive_failures: 0 },
  ...{ first_failure_at: null, warned_at: null },
} as const

export function toUrlProblem(error: unknown): unknown {
  return error instanceof EgressError
    ? invalid('body', '/url', error.reason, `\`url\` cannot be used. ${error.message}`)
    : error
}

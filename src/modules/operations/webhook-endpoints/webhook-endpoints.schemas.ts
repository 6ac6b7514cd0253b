import { type Static, Type } from 'typebox'
import { clearable, Id, listQuery, named, nullable, sortOrder, strict, Timestamp, withExample } from '#platform/schema'

const Url = Type.String({ minLength: 1, maxLength: 2_048, description: 'Public https URL, on port 443 or 8443.' })
const Description = Type.String({ maxLength: 500 })
const EventTypes = Type.Array(
  Type.String({ minLength: 1, maxLength: 100, pattern: '^(\\*|[a-z_]+\\.(\\*|[a-z_]+))$' }),
  {
    minItems: 1,
    maxItems: 200,
    uniqueItems: true,
    description: 'Event types, such as `lead.created`, `lead.*` or `*`.',
  },
)
const RatePerSecond = Type.Integer({
  minimum: 1,
  maximum: 200,
  description: 'Maximum number of requests per second.',
})
const Status = Type.Enum(['enabled', 'disabled'])

const endpointFields = {
  id: Id,
  url: Type.String({
    description: 'Without `webhooks.write`, the query string and long segments are replaced with `…`.',
  }),
  description: nullable(Type.String()),
  event_types: Type.Array(Type.String()),
  status: Status,
  disabled_reason: nullable(
    Type.Enum(['manual', 'gone', 'failing', 'imported', 'owner_deactivated', 'owner_role_changed'], {
      description:
        '`gone`: the server responded with 410. `failing`: no delivery succeeded for five days. `imported`: rotate the secret, then ' +
        'enable it. `owner_deactivated`, and `owner_role_changed` while the owner lacks `webhooks.write`: the user who enables it becomes its owner.',
    }),
  ),
  breaker: Type.Enum(['closed', 'open'], {
    description:
      '`open` after ten failed attempts in a row: deliveries wait while one is tried after 1, 2, 4, … up to 60 minutes.',
  }),
  next_probe_at: nullable(Timestamp),
  consecutive_failures: Type.Integer(),
  first_failure_at: nullable(Timestamp),
  last_success_at: nullable(Timestamp),
  rate_per_second: Type.Integer(),
  previous_secret_valid_until: nullable(Timestamp),
  created_by: nullable(Id),
  owner_id: nullable({
    ...Id,
    description:
      'The endpoint receives what this user may read: its creator, or who last changed its URL or event types.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const WebhookEndpoint = named('WebhookEndpoint', strict(endpointFields))
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

const secret = nullable(Type.String({ description: 'Shown only in this response.' }))
export const CreatedWebhookEndpoint = named('CreatedWebhookEndpoint', strict({ ...endpointFields, secret }))
export const RotatedWebhookSecret = strict({ secret, previous_secret_valid_until: nullable(Timestamp) })

export const NewWebhookEndpoint = withExample(
  strict({
    url: Url,
    event_types: EventTypes,
    description: clearable(Description),
    rate_per_second: Type.Optional(RatePerSecond),
  }),
  { url: 'https://hooks.example.com/tributary', event_types: ['lead.*'] },
)
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>

export const WebhookEndpointChanges = strict({
  url: Type.Optional(Url),
  event_types: Type.Optional(EventTypes),
  description: clearable(Description),
  rate_per_second: Type.Optional(RatePerSecond),
  status: Type.Optional(Status),
})
export type WebhookEndpointChanges = Static<typeof WebhookEndpointChanges>

export const SecretRotation = strict({
  overlap_seconds: Type.Integer({
    minimum: 0,
    maximum: 604_800,
    default: 86_400,
    description: 'Seconds during which requests are signed with both secrets.',
  }),
})
export type SecretRotation = Static<typeof SecretRotation>

export const WebhookEndpointFilter = listQuery({
  status: Type.Optional(Status),
  sort: sortOrder(['-created_at', 'created_at']),
})
export type WebhookEndpointFilter = Static<typeof WebhookEndpointFilter>

export const EndpointParams = strict({ endpoint_id: Id })

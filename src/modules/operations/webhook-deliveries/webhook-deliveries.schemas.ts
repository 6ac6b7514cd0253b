import { type Static, Type } from 'typebox'
import { enumList, Id, Instant, listQuery, named, nullable, sortOrder, strict, Timestamp } from '#platform/schema'

const ErrorClass = Type.Enum(
  ['dns', 'blocked_address', 'connect', 'tls', 'timeout', 'status', 'too_large', 'redirect', 'invalid_url'],
  { description: 'Why the attempt failed. Responses are not stored.' },
)
const Attempt = strict({
  number: Type.Integer(),
  started_at: Timestamp,
  duration_ms: Type.Integer(),
  status: nullable(Type.Integer()),
  error: nullable(ErrorClass),
})

const deliveryFields = {
  id: Id,
  event_id: { ...Id, description: 'Also the header `webhook-id`.' },
  event_type: Type.String(),
  state: Type.Enum(['pending', 'succeeded', 'failed', 'skipped']),
  redelivery_of_id: nullable(Id),
  attempt_count: Type.Integer(),
  attempts: Type.Array(Attempt),
  next_attempt_at: nullable(Timestamp),
  last_status: nullable(Type.Integer()),
  last_error: nullable(ErrorClass),
  created_at: Timestamp,
  finished_at: nullable(Timestamp),
}

export const WebhookDelivery = named('WebhookDelivery', strict(deliveryFields))
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveryDetails = named(
  'WebhookDeliveryDetails',
  strict({
    ...deliveryFields,
    payload: nullable(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'The event without `object`, which is read for every attempt and not stored. Null if you cannot read events of this type.',
      }),
    ),
  }),
)

export const WebhookDeliveryFilter = listQuery({
  sort: sortOrder(['-created_at', 'created_at'], 'Time of the event. A leading `-` means descending.'),
  state: Type.Optional(enumList(['pending', 'succeeded', 'failed', 'skipped'])),
  event_type: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
})
export type WebhookDeliveryFilter = Static<typeof WebhookDeliveryFilter>

export const RecoverySettings = strict({
  since: { ...Instant, description: 'Recovers events from this time on, as long as their deliveries are kept.' },
  states: Type.Array(Type.Enum(['failed', 'skipped'], { type: 'string' }), {
    minItems: 1,
    maxItems: 2,
    uniqueItems: true,
    default: ['failed', 'skipped'],
    description:
      '`failed` are deliveries without a successful attempt. `skipped` are events that were pending or occurred while the endpoint was disabled.',
  }),
})
export type RecoverySettings = Static<typeof RecoverySettings>

export const WebhookTestResult = strict({
  delivery_id: Id,
  status: nullable(Type.Integer()),
  duration_ms: Type.Integer(),
  error: nullable(ErrorClass),
})

export const DeliveryParams = strict({ endpoint_id: Id, delivery_id: Id })

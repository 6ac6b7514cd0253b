import type { EventEnvelope } from '#platform/outbox'
import type { WebhookPayload } from './webhook-payload.schemas.ts'

/** Builds the body of a delivery. `object` is the record as its presenter returns it, null if it has none or was deleted. */
export const buildPayload = (event: EventEnvelope, object: unknown, workspace: string): WebhookPayload => ({
  id: event.id,
  type: event.type,
  timestamp: event.occurred_at.toISOString(),
  workspace,
  subject: { type: event.subject.type, id: event.subject.id },
  data: event.data,
  object: object ?? null,
  actor: { type: event.actor.type, id: event.actor.id },
  sequence: event.subject.version,
})
